"""Files that change outside of the editor."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from lsprotocol import types

from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.texts import file_of
from shardlint_lsp.watching import concerned
from shardlint_lsp.worker import Priority


def register(server: ShardlintServer) -> None:
    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def changed(  # pyright: ignore[reportUnusedFunction]
        params: types.DidChangeWatchedFilesParams,
    ) -> None:
        paths = [path for event in params.changes if (path := _path(server, event)) is not None]
        for root in server.roots.known:
            own = [path for path in paths if root.folder in path.parents]
            if own and await server.worker.run(Priority.CHANGE, partial(concerned, root, own)):
                server.renewed(root)


def _path(server: ShardlintServer, event: types.FileEvent) -> Path | None:
    """The file of an event; None for one that is open, of which the editor's text holds."""
    path = file_of(event.uri)
    if path is None or (event.type == types.FileChangeType.Changed and server.texts.at(path) is not None):
        return None
    return path
