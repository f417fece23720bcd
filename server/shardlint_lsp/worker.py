"""One thread for all work on files, so that the loop stays free for messages and caches need no lock."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Callable
from enum import IntEnum
from queue import PriorityQueue
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class Priority(IntEnum):
    """What is done first: somebody waits for an answer, a text changed, nobody is waiting."""

    REQUEST = 0
    CHANGE = 1
    BACKGROUND = 2
    STOP = 3


class _Item(NamedTuple):
    priority: Priority
    number: int
    work: Callable[[], Any]
    future: asyncio.Future[Any] | None
    loop: asyncio.AbstractEventLoop | None


class Worker:
    """Runs work in the order of its priority, then of its coming. Work whose future was cancelled before
    its turn is not begun."""

    def __init__(self) -> None:
        self._queue: PriorityQueue[_Item] = PriorityQueue()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    async def run(self, priority: Priority, work: Callable[[], T]) -> T:
        """What `work` returns or raises. Raises CancelledError when the caller is cancelled."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._queue.put(_Item(priority, next(self._numbers), work, future, loop))
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="shardlint-worker", daemon=True)
            self._thread.start()
        return await future

    def stop(self) -> None:
        """End the thread when what is asked for is done. Nothing may be asked afterwards."""
        if self._thread is not None:
            self._queue.put(_Item(Priority.STOP, next(self._numbers), lambda: None, None, None))

    def _serve(self) -> None:
        while True:
            item = self._queue.get()
            if item.future is None or item.loop is None:
                return
            if not item.future.cancelled():
                _settle(item.loop, item.future, item.work)


def _settle(loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any], work: Callable[[], Any]) -> None:
    try:
        result, error = work(), None
    except Exception as raised:
        result, error = None, raised

    def tell() -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)

    try:
        loop.call_soon_threadsafe(tell)
    except RuntimeError:
        """The loop is closed: nobody waits any more."""
