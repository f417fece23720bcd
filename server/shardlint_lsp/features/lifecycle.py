"""Start and end: what the editor can do, its folders, and the texts that come and go."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol import types

from shardlint.workspace.workspace import absolute
from shardlint_lsp.client import Client, client_of
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.texts import file_of
from shardlint_lsp.warming import warm
from shardlint_lsp.watching import watch
from shardlint_lsp.worker import Priority


def register(server: ShardlintServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:  # pyright: ignore[reportUnusedFunction]
        server.loop = asyncio.get_running_loop()
        client = client_of(params, str(server.workspace.position_encoding))
        server.configuration.begin(params.initialization_options)
        server.client = client._replace(pulls=_waits(client, server.defaults.diagnostics))
        server.protocol.trace = params.trace or types.TraceValue.Off
        for folder in _folders(params):
            server.roots.add(folder)

    @server.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:  # pyright: ignore[reportUnusedFunction]
        server.configuration.follow()
        watch(server)
        await asyncio.gather(server.configuration.ask(), server.worker.run(Priority.BACKGROUND, warm))
        server.background.renew()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders_changed(  # pyright: ignore[reportUnusedFunction]
        params: types.DidChangeWorkspaceFoldersParams,
    ) -> None:
        for gone in params.event.removed:
            folder = file_of(gone.uri)
            if folder is not None:
                server.roots.remove(folder)
                server.preferences.pop(folder, None)
        for added in params.event.added:
            folder = file_of(added.uri)
            if folder is not None:
                server.roots.add(folder)
        server.renewed()
        await server.configuration.ask()

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:  # pyright: ignore[reportUnusedFunction]
        server.refresher.stop()
        server.worker.stop()


def _folders(params: types.InitializeParams) -> list[Path]:
    """The folders of the workspace, as old and new editors say them."""
    named = [folder.uri for folder in params.workspace_folders or ()]
    if not named and params.root_uri:
        named = [params.root_uri]
    found = [folder for uri in named if (folder := file_of(uri)) is not None]
    return found or ([absolute(Path(params.root_path))] if params.root_path and not named else [])


def _waits(client: Client, delivery: str) -> bool:
    """Whether diagnostics wait until they are asked for. An editor that asks only about the text it edits,
    and cannot be told that another file or a setting changed, would show what is out of date."""
    return client.pulls and (delivery == "pull" or (delivery == "auto" and client.diagnostic_refresh))
