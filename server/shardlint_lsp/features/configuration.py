"""Settings that change while the server runs."""

from __future__ import annotations

from lsprotocol import types

from shardlint_lsp.server import ShardlintServer


def register(server: ShardlintServer) -> None:
    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def changed(  # pyright: ignore[reportUnusedFunction]
        params: types.DidChangeConfigurationParams,
    ) -> None:
        await server.configuration.told(params.settings)
