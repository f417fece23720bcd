"""A bar in the editor's window for work that takes a while."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from itertools import count
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from shardlint_lsp.server import ShardlintServer

_NUMBERS = count(1)


class Progress:
    """One bar, which the user may cancel. Where the editor shows none, nothing happens."""

    def __init__(self, server: ShardlintServer, title: str, token: types.ProgressToken | None = None) -> None:
        """`token` is what the editor asked to be told under; without one it is asked for a bar."""
        self._bars = server.work_done_progress
        self._tokens: dict[types.ProgressToken, Future[object]] = self._bars.tokens  # pyright: ignore[reportUnknownMemberType]
        self._title = title
        self._token = token
        self._shown = self._over = False
        if token is not None:
            self._begin()
        elif server.client.progress:
            self._token = f"shardlint-{next(_NUMBERS)}"
            self._opening = asyncio.ensure_future(self._open(self._token))

    @property
    def cancelled(self) -> bool:
        bar = self._tokens.get(self._token) if self._token is not None else None
        return bar is not None and bar.cancelled()

    def report(self, done: int, total: int) -> None:
        if self._shown and self._token is not None:
            share = min(100 * done // max(total, 1), 100)
            said = types.WorkDoneProgressReport(cancellable=True, message=f"{done}/{total}", percentage=share)
            self._bars.report(self._token, said)

    def end(self, message: str) -> None:
        self._over = True
        if self._shown and self._token is not None:
            self._shown = False
            self._bars.end(self._token, types.WorkDoneProgressEnd(message=message))
            self._tokens.pop(self._token, None)

    async def _open(self, token: types.ProgressToken) -> None:
        try:
            await self._bars.create_async(token)  # pyright: ignore[reportUnknownMemberType]
        except JsonRpcException:
            return
        if self._over:
            self._tokens.pop(token, None)
        else:
            self._begin()

    def _begin(self) -> None:
        assert self._token is not None
        self._shown = True
        begun = types.WorkDoneProgressBegin(self._title, cancellable=True, percentage=0)
        self._bars.begin(self._token, begun)
