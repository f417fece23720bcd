"""Diagnostics pushed to an editor that does not ask for them: one pending look a text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from shardlint_lsp.diagnostics import diagnostics, files
from shardlint_lsp.look import Look
from shardlint_lsp.texts import OpenText
from shardlint_lsp.worker import Priority

if TYPE_CHECKING:
    from shardlint_lsp.server import ShardlintServer

AT_ONCE = 0.15
"""Seconds: what takes no longer is looked at after every keystroke."""
LONGEST_WAIT = 0.5


class Told(NamedTuple):
    """What is to be said about the files of one look."""

    revision: int
    by_path: dict[Path, list[types.Diagnostic]]


class Publisher:
    """What the editor was told, by path, and for which open texts."""

    def __init__(self, server: ShardlintServer) -> None:
        self._server = server
        self._pending: dict[Path, asyncio.Task[None]] = {}
        self._shown: dict[Path, frozenset[Path]] = {}
        self._said: dict[Path, list[types.Diagnostic]] = {}

    def touch(self, text: OpenText) -> None:
        """The text or something near it changed: look again, in place of any look that waits."""
        if self._server.client.pulls:
            return
        waiting = self._pending.pop(text.path, None)
        if waiting is not None:
            waiting.cancel()
        self._pending[text.path] = asyncio.ensure_future(self._look(text, wait(self._server, text)))

    def touch_all(self) -> None:
        for text in self._server.texts:
            self.touch(text)

    def closed(self, text: OpenText) -> None:
        """Clear what only this text gave a reason to show; those it stood with are looked at again."""
        if self._server.client.pulls:
            return
        waiting = self._pending.pop(text.path, None)
        if waiting is not None:
            waiting.cancel()
        self._release({text.path, *self._shown.pop(text.path, ())})

    async def settled(self) -> None:
        """Wait until nothing is pending."""
        while self._pending:
            await asyncio.gather(*self._pending.values(), return_exceptions=True)

    async def _look(self, text: OpenText, delay: float) -> None:
        try:
            if delay:
                await asyncio.sleep(delay)
            told = await self._server.ask(text.uri, self._found, Priority.CHANGE)
        finally:
            if self._pending.get(text.path) is asyncio.current_task():
                del self._pending[text.path]
        now = self._server.texts.at(text.path)
        if now is None or told is None or told.revision != self._server.revision:
            self._again(now)
            return
        before = self._shown.get(text.path, frozenset())
        self._shown[text.path] = frozenset(told.by_path)
        self._release(before - told.by_path.keys())
        for path, found in told.by_path.items():
            self._say(path, now.version if path == now.path else self._version(path), found)

    def _release(self, paths: Iterable[Path]) -> None:
        """No look at some text speaks of these any more: open ones are looked at by themselves, the others
        cleared unless another text shows them."""
        kept = frozenset[Path]().union(*self._shown.values())
        for path in paths:
            text = self._server.texts.at(path)
            if text is not None:
                self.touch(text)
            elif path not in kept:
                self._say(path, None, [])

    def _again(self, text: OpenText | None) -> None:
        """What was found is out of date: something else changed meanwhile."""
        if text is not None and text.path not in self._pending:
            self.touch(text)

    def _found(self, look: Look) -> Told:
        uri_of = self._server.texts.uri
        said = {look.path(name): diagnostics(look, name, uri_of) for name in files(look)}
        return Told(look.revision, said)

    def _version(self, path: Path) -> int | None:
        text = self._server.texts.at(path)
        return text.version if text else None

    def _say(self, path: Path, version: int | None, found: list[types.Diagnostic]) -> None:
        """Publish; nothing new about a file that is not open is not said again."""
        known = self._said.get(path)
        if version is None and (known == found or (known is None and not found)):
            return
        if found:
            self._said[path] = found
        else:
            self._said.pop(path, None)
        uri = self._server.texts.uri(path)
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))


def wait(server: ShardlintServer, text: OpenText) -> float:
    """Seconds to wait for the next keystroke: none where a look is quick, else as long as it takes."""
    cost = server.roots.of(text.path).cost
    return 0.0 if cost <= AT_ONCE else min(cost, LONGEST_WAIT)
