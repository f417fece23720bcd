"""Start and end: what the editor can do, its folders, and the texts that come and go."""

from __future__ import annotations

import asyncio

from lsprotocol import types

from shardlint_lsp.client import client_of
from shardlint_lsp.preferences import preferences_of
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.texts import file_of
from shardlint_lsp.warming import warm
from shardlint_lsp.worker import Priority


def register(server: ShardlintServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:  # pyright: ignore[reportUnusedFunction]
        server.loop = asyncio.get_running_loop()
        server.client = client_of(params, str(server.workspace.position_encoding))
        server.defaults = preferences_of(params.initialization_options)
        folders = [folder.uri for folder in params.workspace_folders or ()]
        for uri in folders or ([params.root_uri] if params.root_uri else []):
            folder = file_of(uri)
            if folder is not None:
                server.roots.add(folder)

    @server.feature(types.INITIALIZED)
    async def warmed(_: types.InitializedParams) -> None:  # pyright: ignore[reportUnusedFunction]
        await server.worker.run(Priority.BACKGROUND, warm)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(  # pyright: ignore[reportUnusedFunction]
        params: types.DidChangeWorkspaceFoldersParams,
    ) -> None:
        for gone in params.event.removed:
            folder = file_of(gone.uri)
            if folder is not None:
                server.roots.remove(folder)
        for added in params.event.added:
            folder = file_of(added.uri)
            if folder is not None:
                server.roots.add(folder)
        server.changed()
        server.publisher.touch_all()

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:  # pyright: ignore[reportUnusedFunction]
        server.worker.stop()
