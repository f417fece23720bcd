"""Asking the editor to ask again for what it shows: hints and lenses, and diagnostics where it pulls them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shardlint_lsp.server import ShardlintServer

QUIET = 0.3
"""Seconds without a change before the editor is asked: many files may change at once."""


class Refresher:
    """Once for any number of changes. Does nothing for an editor that cannot be asked."""

    def __init__(self, server: ShardlintServer) -> None:
        self._server = server
        self._timer: asyncio.TimerHandle | None = None
        self._diagnostics = False

    def soon(self) -> None:
        """Ask for hints and lenses when it has been quiet for a moment."""
        client, loop = self._server.client, self._server.loop
        if loop is None or not (client.hint_refresh or client.lens_refresh or client.diagnostic_refresh):
            return
        self.stop()
        self._timer = loop.call_later(QUIET, self.now)

    def everything_soon(self) -> None:
        """Ask for diagnostics too: something changed that is no text the editor has open."""
        self._diagnostics = True
        self.soon()

    def stop(self) -> None:
        """Do not ask for what changed so far: after a shutdown nothing is asked."""
        if self._timer is not None:
            self._timer.cancel()

    def now(self) -> None:
        """Ask. Nobody waits for the answer, which says nothing."""
        client, server = self._server.client, self._server
        if client.hint_refresh:
            server.workspace_inlay_hint_refresh(None)
        if client.lens_refresh:
            server.workspace_code_lens_refresh(None)
        if client.diagnostic_refresh and self._diagnostics:
            server.workspace_diagnostic_refresh(None)
        self._diagnostics = False
