"""Diagnostics pushed to an editor that does not ask for them: one pending look a text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from shardlint_lsp.diagnostics import ByPath, by_path
from shardlint_lsp.look import Look
from shardlint_lsp.texts import OpenText
from shardlint_lsp.worker import Priority

if TYPE_CHECKING:
    from shardlint_lsp.server import ShardlintServer

QUICK = 0.01
"""Seconds: a look that takes no longer begins at once."""
SLOW = 0.15
"""Seconds: a look that takes longer waits for the next keystroke."""
FIRST = 0.002
"""Seconds by which all other looks let a request go first that comes right behind a keystroke."""
LONGEST_WAIT = 0.5


class Said(NamedTuple):
    """What an editor shows of a file, under the URI it was told."""

    uri: str
    found: Sequence[types.Diagnostic]


class Publisher:
    """What the editor was told, by path, and for which open texts."""

    def __init__(self, server: ShardlintServer) -> None:
        self._server = server
        self._pending: dict[Path, asyncio.Task[None]] = {}
        self._shown: dict[Path, frozenset[Path]] = {}
        self._said: dict[Path, Said] = {}
        self._unopened: dict[Path, Sequence[types.Diagnostic]] = {}

    def touch(self, text: OpenText) -> None:
        """The text or something near it changed: look again, in place of any look that waits."""
        if self._server.client.pulls:
            return
        self._drop_pending(text.path)
        self._pending[text.path] = asyncio.ensure_future(self._look(text, wait(self._server, text)))

    def touch_all(self) -> None:
        for text in self._server.texts:
            self.touch(text)

    def closed(self, text: OpenText) -> None:
        """Clear what only this text gave a reason to show; those it stood with are looked at again."""
        if self._server.client.pulls:
            return
        self._drop_pending(text.path)
        showing = (path for path, shown in self._shown.items() if text.path in shown)
        self._release({text.path, *showing, *self._shown.pop(text.path, ())})

    def unopened(self, found: Mapping[Path, Sequence[types.Diagnostic]]) -> None:
        """What the lint of a whole folder says about some files: it holds where no look speaks of them."""
        if self._server.client.pulls:
            return
        for path, said in found.items():
            if said:
                self._unopened[path] = said
            else:
                self._unopened.pop(path, None)
        self._fall_back(found)

    async def _look(self, text: OpenText, delay: float) -> None:
        try:
            await asyncio.sleep(delay)
            revision = self._server.revision
            found = await self._server.ask(text.uri, self._found, Priority.CHANGE)
        except Exception as error:
            self._server.failed(f"the look at {text.uri}", error)
            return
        finally:
            if self._pending.get(text.path) is asyncio.current_task():
                del self._pending[text.path]
        now = self._server.texts.at(text.path)
        if now is not None and revision == self._server.revision:
            self._show(now, found if found is not None else {now.path: []})
        elif now is not None and now.path not in self._pending:
            self.touch(now)

    def _found(self, look: Look) -> ByPath:
        return by_path(look, self._server.texts.uri)

    def _show(self, text: OpenText, found: ByPath) -> None:
        before = self._shown.get(text.path, frozenset())
        self._shown[text.path] = frozenset(found)
        self._release(before - found.keys())
        for path, said in found.items():
            self._say(path, said)

    def _release(self, paths: Iterable[Path]) -> None:
        """No look at some text speaks of these any more: open ones are looked at by themselves."""
        closed: list[Path] = []
        for path in paths:
            text = self._server.texts.at(path)
            if text is not None:
                self.touch(text)
            else:
                closed.append(path)
        self._fall_back(closed)

    def _fall_back(self, paths: Iterable[Path]) -> None:
        """What is known without a look is said of the files that no look speaks of."""
        kept = frozenset[Path]().union(*self._shown.values())
        for path in paths:
            if path not in kept and self._server.texts.at(path) is None:
                self._say(path, self._unopened.get(path, ()))

    def _say(self, path: Path, found: Sequence[types.Diagnostic]) -> None:
        """Publish; nothing new about a file that is not open is not said again."""
        text = self._server.texts.at(path)
        before = self._said.pop(path, None)
        uri = text.uri if text else before.uri if before else self._server.texts.uri(path)
        if before is not None and before.uri != uri:
            self._publish(before.uri, None, [])
        if found:
            self._said[path] = Said(uri, found)
        if text is not None or [*found] != [*(before.found if before else ())]:
            self._publish(uri, text.version if text else None, found)

    def _publish(self, uri: str, version: int | None, found: Sequence[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def _drop_pending(self, path: Path) -> None:
        waiting = self._pending.pop(path, None)
        if waiting is not None:
            waiting.cancel()


def wait(server: ShardlintServer, text: OpenText) -> float:
    """Seconds to wait for the next keystroke: none or next to none where a look is quick, else its length."""
    cost = server.roots.of(text.path).cost
    if cost <= QUICK:
        return 0.0
    return FIRST if cost <= SLOW else min(cost, LONGEST_WAIT)
