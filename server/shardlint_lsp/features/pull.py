"""Diagnostics for an editor that asks for them, a text at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from lsprotocol import types

from shardlint_lsp.connection.errors import ContentModified, ServerCancelled
from shardlint_lsp.diagnostics import SOURCE, ByPath, by_path
from shardlint_lsp.look import Look
from shardlint_lsp.result_ids import result_id
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.texts import OpenText, file_of

OPTIONS = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier=SOURCE)
MOST_TRIES = 3
NO_FILES: ByPath = {}
Report = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport


class Pulls:
    """What the editor got, and of which closed files it got to know with which open text."""

    def __init__(self, server: ShardlintServer) -> None:
        self._server = server
        self._related: dict[Path, frozenset[Path]] = {}

    async def report(self, uri: str, previous: str | None) -> Report:
        """Everything that is to be said about a text; `previous` names what the editor has."""
        server, text = self._server, self._server.texts.get(uri)
        found = await self._current(uri, text)
        path = text.path if text else file_of(uri)
        said = found or NO_FILES
        own = said.get(path, ()) if path else ()
        related = self._others(path, said) if path and server.client.related_documents else NO_FILES
        name = result_id(own, *related.values())
        if name == previous:
            return types.RelatedUnchangedDocumentDiagnosticReport(name)
        return types.RelatedFullDocumentDiagnosticReport(own, _reports(server, related), result_id=name)

    async def _current(self, uri: str, text: OpenText | None) -> ByPath | None:
        """What is found while nothing changes; other texts may change a few times."""
        server = self._server
        for _ in range(MOST_TRIES):
            revision = server.revision
            found = await server.ask_file(uri, self._found)
            if server.texts.get(uri) is not text:
                raise ContentModified
            if server.revision == revision:
                return found
        raise ServerCancelled("other files change all the time", retrigger=True)

    def _found(self, look: Look) -> ByPath:
        return by_path(look, self._server.texts.uri)

    def _others(self, path: Path, said: ByPath) -> ByPath:
        """What is said about closed files, and nothing about those of which nothing is said any more."""
        texts = self._server.texts
        for closed in [known for known in self._related if texts.at(known) is None and known != path]:
            self._related[path] = self._related.get(path, frozenset()) | self._related.pop(closed)
        before = self._related.get(path, frozenset())
        now = {other: found for other, found in said.items() if other != path and texts.at(other) is None}
        self._related[path] = frozenset(other for other, found in now.items() if found)
        gone = {other: () for other in before - now.keys() if texts.at(other) is None}
        return {**gone, **{other: found for other, found in now.items() if found or other in before}}


def _reports(
    server: ShardlintServer, related: Mapping[Path, Sequence[types.Diagnostic]]
) -> dict[str, types.FullDocumentDiagnosticReport | types.UnchangedDocumentDiagnosticReport] | None:
    return {
        server.texts.uri(path): types.FullDocumentDiagnosticReport(found, result_id=result_id(found))
        for path, found in related.items()
    } or None


def register(server: ShardlintServer) -> None:
    pulls = Pulls(server)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, OPTIONS)
    async def diagnostic(  # pyright: ignore[reportUnusedFunction]
        params: types.DocumentDiagnosticParams,
    ) -> types.DocumentDiagnosticReport:
        return await pulls.report(params.text_document.uri, params.previous_result_id)
