"""An editor under test: the client of pytest-lsp with texts, and with what was published kept in order."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from lsp.e2e import specification
from lsp.e2e.buffer import Buffer
from lsp.e2e.recorded import Recorded

T = TypeVar("T")
Action = types.Command | types.CodeAction
PATIENCE = 20.0
"""Seconds to wait for an answer before a test fails; it takes milliseconds."""
AGAIN = (types.LSPErrorCodes.ServerCancelled, types.LSPErrorCodes.ContentModified)
ASKS = {"diagnostics": "pull"}
"""An editor that can ask for diagnostics does, also one the server would rather send them to."""
LANGUAGES = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml"}


def file_of(uri: str) -> Path:
    return Path(unquote(urlsplit(uri).path))


def _converter() -> Converter:
    """lsprotocol takes an action that has a command for a command."""
    made = default_converter()

    def action(said: dict[str, object], _: object) -> Action:
        return made.structure(
            said, types.Command if isinstance(said.get("command"), str) else types.CodeAction
        )

    made.register_structure_hook(Action, action)
    return made


class Editor(LanguageClient):
    """One server process and the client that talks to it."""

    def __init__(self) -> None:
        super().__init__(converter_factory=_converter)
        register_lsp_features(self, {**DEFAULT_CLIENT_FEATURES, **FEATURES})
        self.published: dict[str, list[types.PublishDiagnosticsParams]] = defaultdict(list)
        self.opened: list[Buffer] = []
        self.registered: list[str] = []
        self.refreshes = 0
        self.encoding = types.PositionEncodingKind.Utf16
        self.root = Path()
        self.serves = types.ServerCapabilities()
        self._heard = asyncio.Event()

    async def begin(
        self, recorded: Recorded, folders: Sequence[Path], options: object = ASKS
    ) -> types.InitializeResult:
        """Start the server and agree on what both can do."""
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        await self.start_io(sys.executable, "-m", "shardlint_cli", "lsp", env=variables)
        params = types.InitializeParams(
            capabilities=recorded.capabilities(),
            client_info=recorded.info,
            root_uri=folders[0].as_uri() if folders else None,
            workspace_folders=[types.WorkspaceFolder(path.as_uri(), path.name) for path in folders],
            initialization_options=options,
        )
        result = await self.within(self.initialize_session(params))
        self.serves = result.capabilities
        self.encoding = recorded.encoding
        self.root = folders[0] if folders else Path()
        return result

    async def end(self) -> None:
        """Leave as an editor does; a server that does not answer is ended all the same."""
        try:
            if self.alive:
                await asyncio.wait_for(self.shutdown_session(), PATIENCE)
        finally:
            await self.kill()

    async def kill(self) -> None:
        """End a server that need not have ended by itself."""
        if self._server is not None and self.alive:
            self._server.kill()
        await self.stop()

    async def ended(self) -> int:
        """The exit code of the server, once it has ended and its last words are read."""
        assert self._server is not None and self._stderr_forwarder is not None
        await asyncio.wait({self._stderr_forwarder}, timeout=PATIENCE)
        return await asyncio.wait_for(self._server.wait(), PATIENCE)

    def hang_up(self) -> None:
        """Be gone without a word."""
        assert self._server is not None and self._server.stdin is not None
        self._server.stdin.close()

    @property
    def alive(self) -> bool:
        return self._server is not None and self._server.returncode is None

    async def within(self, answer: Awaitable[T]) -> T:
        """An answer, as long as there is a server that may give it."""
        assert self._server is not None
        asked, gone = asyncio.ensure_future(answer), asyncio.ensure_future(self._server.wait())
        try:
            await asyncio.wait({asked, gone}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                return asked.result()
            raise AssertionError("the server ended" if gone.done() else f"no answer in {PATIENCE} s")
        finally:
            asked.cancel()
            gone.cancel()

    @property
    def pulls(self) -> bool:
        """Whether this editor asks for diagnostics instead of being sent them."""
        return self.serves.diagnostic_provider is not None

    def open(self, path: Path, text: str, uri: str = "", language: str = "") -> Buffer:
        """Open a text; it need not be on the disk."""
        buffer = Buffer(uri or path.as_uri(), text, self.encoding)
        language = language or LANGUAGES.get(path.suffix, "plaintext")
        item = types.TextDocumentItem(buffer.uri, language, buffer.version, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        self.opened.append(buffer)
        return buffer

    def tell(self, buffer: Buffer, *changes: types.TextDocumentContentChangeEvent) -> None:
        """Tell of changes that were made to a text."""
        buffer.version += 1
        known = types.VersionedTextDocumentIdentifier(version=buffer.version, uri=buffer.uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(known, list(changes)))

    def close(self, buffer: Buffer) -> None:
        self.opened.remove(buffer)
        self.text_document_did_close(types.DidCloseTextDocumentParams(buffer.identifier))

    def make(self, edit: types.WorkspaceEdit) -> None:
        """Make an edit in the texts that are open and in the files of the others."""
        for uri, edits in (edit.changes or {}).items():
            self._edit(uri, edits)
        for change in edit.document_changes or ():
            if isinstance(change, types.TextDocumentEdit):
                self._edit(
                    change.text_document.uri, [one for one in change.edits if isinstance(one, types.TextEdit)]
                )
            else:
                assert isinstance(change, types.CreateFile), change
                file_of(change.uri).touch()

    def _edit(self, uri: str, edits: Sequence[types.TextEdit]) -> None:
        buffer = next((one for one in self.opened if one.uri == uri), None)
        if buffer is not None:
            self.tell(buffer, *buffer.apply(edits))
            return
        path = file_of(uri)
        closed = Buffer(uri, path.read_text(encoding="utf-8") if path.exists() else "", self.encoding)
        closed.apply(edits)
        path.write_text(closed.text, encoding="utf-8")

    def configure(self, folder: Path, settings: object) -> None:
        """Set what the user sets for a folder of the workspace, and tell that something was set."""
        self.set_configuration(settings, section="shardlint", scope_uri=folder.as_uri())
        self.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))

    def change_folders(self, added: Sequence[Path] = (), removed: Sequence[Path] = ()) -> None:
        """Add folders to the workspace, and remove others."""
        event = types.WorkspaceFoldersChangeEvent(
            added=[types.WorkspaceFolder(path.as_uri(), path.name) for path in added],
            removed=[types.WorkspaceFolder(path.as_uri(), path.name) for path in removed],
        )
        self.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))

    async def problems(self, buffer: Buffer) -> list[types.Diagnostic]:
        """The diagnostics of a text as it is now, asked for or waited for."""
        if self.pulls:
            return await self.within(self._pulled(buffer))
        return await self.heard(buffer.uri, lambda said: said.version == buffer.version)

    async def _pulled(self, buffer: Buffer) -> list[types.Diagnostic]:
        """Ask until the server is not interrupted by what else changed."""
        while True:
            try:
                asked = types.DocumentDiagnosticParams(buffer.identifier)
                report = await self.text_document_diagnostic_async(asked)
            except JsonRpcException as error:
                if error.code not in AGAIN:
                    raise
            else:
                return list(report.items)

    async def heard(
        self, uri: str, wanted: Callable[[types.PublishDiagnosticsParams], bool]
    ) -> list[types.Diagnostic]:
        """The diagnostics last published for a URI, as soon as they are what is wanted."""

        async def listen() -> list[types.Diagnostic]:
            while not (self.published[uri] and wanted(self.published[uri][-1])):
                self._heard.clear()
                await self._heard.wait()
            return list(self.published[uri][-1].diagnostics)

        try:
            return await self.within(listen())
        except AssertionError as error:
            raise AssertionError(f"{error}; last published for {uri}: {self.published[uri][-1:]}") from None

    async def codes(self, buffer: Buffer) -> set[object]:
        """The names of the rules that speak of a text."""
        return {found.code for found in await self.problems(buffer)}

    async def quiet(self) -> None:
        """Close what is open; nothing of the server itself may have failed."""
        for buffer in tuple(self.opened):
            self.close(buffer)
        self.published.clear()
        assert not self.complaints, self.complaints

    async def comes(self, buffer: Buffer, code: str) -> None:
        """Wait until a rule speaks of a text: what it says of one file may rest on another one."""
        await self.until(buffer, lambda found: code in {one.code for one in found})

    async def goes(self, buffer: Buffer, code: str) -> None:
        """Wait until a rule is silent of a text."""
        await self.until(buffer, lambda found: code not in {one.code for one in found})

    async def until(self, buffer: Buffer, wanted: Callable[[Sequence[types.Diagnostic]], bool]) -> None:
        """Wait until what is said of a text is what is wanted."""
        if self.pulls:
            await self.within(self._pulled_until(buffer, wanted))
        else:
            await self.heard(
                buffer.uri, lambda said: said.version == buffer.version and wanted(said.diagnostics)
            )

    async def _pulled_until(
        self, buffer: Buffer, wanted: Callable[[Sequence[types.Diagnostic]], bool]
    ) -> None:
        """Ask again when the server says that something changed: this editor can be told."""
        while not wanted(await self._pulled(buffer)):
            await asyncio.sleep(0.02)

    @property
    def complaints(self) -> list[str]:
        """What the server logged as an error: exceptions of its own."""
        return [said.message for said in self.log_messages if said.type is types.MessageType.Error]

    def hear(self, params: types.PublishDiagnosticsParams) -> None:
        assert self.capabilities is not None
        assert not self.pulls, "diagnostics sent to an editor that asks for them"
        specification.published(self.capabilities, params)
        self.published[params.uri].append(params)
        self._heard.set()


def _published(client: Editor, params: types.PublishDiagnosticsParams) -> None:
    client.hear(params)


def _applied(client: Editor, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
    client.make(params.edit)
    return types.ApplyWorkspaceEditResult(applied=True)


def _registered(client: Editor, params: types.RegistrationParams) -> None:
    client.registered += [one.method for one in params.registrations]


def _refreshed(client: Editor, params: object) -> None:
    """The editor would ask again; the tests do so by themselves."""
    client.refreshes += 1


FEATURES = {
    types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: _published,
    types.WORKSPACE_APPLY_EDIT: _applied,
    types.CLIENT_REGISTER_CAPABILITY: _registered,
    types.WORKSPACE_DIAGNOSTIC_REFRESH: _refreshed,
    types.WORKSPACE_INLAY_HINT_REFRESH: _refreshed,
    types.WORKSPACE_CODE_LENS_REFRESH: _refreshed,
}
