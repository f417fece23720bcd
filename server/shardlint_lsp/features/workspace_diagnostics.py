"""Diagnostics of files that are not open, for an editor that asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from shardlint_lsp.connection.errors import ServerCancelled
from shardlint_lsp.result_ids import NOTHING
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.surveys.progress import Progress
from shardlint_lsp.texts import file_of

Item = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


class Known(dict[Path, tuple[str, str]]):
    """What the editor has: by path the URI it has it under, and the name of it."""


class WorkspacePulls:
    """Answers when there is something new: an editor that asks again at once waits until there is."""

    def __init__(self, server: ShardlintServer) -> None:
        self._server = server
        self._answered = False

    async def report(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        background = self._server.background
        known = _known(params.previous_result_ids)
        parts: list[Item] = []
        progress = None
        if params.work_done_token is not None and background.busy:
            progress = Progress(self._server, "Checking training configs", params.work_done_token)
        try:
            while True:
                version = background.version
                fresh = self._fresh(known)
                parts += fresh
                if fresh and params.partial_result_token is not None:
                    self._send(params.partial_result_token, fresh)
                if not background.busy and (parts or not self._answered):
                    break
                await background.news(version)
                if progress is not None:
                    progress.report(*background.share)
                    if progress.cancelled:
                        raise ServerCancelled("cancelled by the user", retrigger=False)
        finally:
            if progress is not None:
                progress.end("done")
        self._answered = True
        return types.WorkspaceDiagnosticReport([] if params.partial_result_token is not None else parts)

    def _send(self, token: types.ProgressToken, items: Sequence[Item]) -> None:
        part = types.WorkspaceDiagnosticReportPartialResult(items)
        self._server.progress(types.ProgressParams(token, part))

    def _fresh(self, known: Known) -> list[Item]:
        """What the editor does not have yet; `known` holds it afterwards. Open texts are asked for by
        themselves."""
        texts, filed = self._server.texts, self._server.background.filed()
        found: list[Item] = []
        for path in [*filed, *(path for path in known if path not in filed)]:
            name, said = filed.get(path, (NOTHING, ()))
            uri, before = known.get(path, (texts.uri(path), NOTHING))
            if name != before and texts.at(path) is None:
                known[path] = (uri, name)
                found.append(types.WorkspaceFullDocumentDiagnosticReport(uri, said, None, result_id=name))
        return found


def _known(ids: Sequence[types.PreviousResultId]) -> Known:
    paths = ((file_of(one.uri), one) for one in ids)
    return Known({path: (one.uri, one.value) for path, one in paths if path is not None})


def register(server: ShardlintServer) -> None:
    pulls = WorkspacePulls(server)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def diagnostic(  # pyright: ignore[reportUnusedFunction]
        params: types.WorkspaceDiagnosticParams,
    ) -> types.WorkspaceDiagnosticReport:
        return await pulls.report(params)
