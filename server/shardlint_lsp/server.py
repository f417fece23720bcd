"""The server: what is open, what is set, and one way to ask about a text."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from shardlint import __version__
from shardlint.report import Notice
from shardlint_lsp.client import Client
from shardlint_lsp.configuring import Configuration
from shardlint_lsp.connection.protocol import Protocol
from shardlint_lsp.draft import draft
from shardlint_lsp.look import Look
from shardlint_lsp.preferences import Preferences
from shardlint_lsp.publishing import Publisher
from shardlint_lsp.refreshing import Refresher
from shardlint_lsp.roots import Root, Roots
from shardlint_lsp.surveys.background import Background
from shardlint_lsp.texts import OpenText, Texts, file_of
from shardlint_lsp.worker import Priority, Worker

T = TypeVar("T")
log = logging.getLogger("shardlint")
MOST_LOOKS = 32
"""Looks kept: one an open text, for the requests between two changes."""
MOST_TOLD = 1000
"""Messages remembered, so that each is logged once."""


class Snapshot(NamedTuple):
    """All that a look depends on, taken when it was asked for."""

    text: OpenText
    revision: int
    overlay: Mapping[Path, str]
    root: Root
    preferences: Preferences


class ShardlintServer(LanguageServer):
    """The state of one session. Everything but `look` belongs to the loop; `look` to the worker's thread. The
    looks themselves do not change, so both may read them."""

    protocol: Protocol  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self) -> None:
        super().__init__("shardlint", __version__, protocol_cls=Protocol)  # pyright: ignore[reportUnknownMemberType]
        self.client = Client()
        self.texts = Texts()
        self.roots = Roots()
        self.worker = Worker()
        self.defaults = Preferences()
        self.preferences: dict[Path, Preferences] = {}
        self.revision = 0
        self._renewed = 0
        self._edits: dict[Path, int] = {}
        self.loop: asyncio.AbstractEventLoop | None = None
        self.publisher = Publisher(self)
        self.refresher = Refresher(self)
        self.configuration = Configuration(self)
        self.background = Background(self)
        self._looks: OrderedDict[Path, Look] = OrderedDict()
        self._told: dict[str, None] = {}

    def changed(self, edited: OpenText | None = None) -> None:
        """Something findings may depend on is not what it was: looks made before do not answer any more.

        An editor asks by itself again about a text that is `edited`; about the others it is told to.
        """
        self.revision += 1
        if edited is not None:
            self._edits[edited.path] = self.revision
        if edited is None or any(text.path != edited.path for text in self.texts):
            self.refresher.soon()

    def renewed(self, root: Root | None = None) -> None:
        """Files or settings changed, of one folder or of all: everything is looked at again."""
        self.changed()
        self._renewed = self.revision
        self.publisher.touch_all()
        self.refresher.everything_soon()
        if root is None:
            self.background.renew()
        else:
            self.background.renew_one(root)

    def moved(self, paths: Iterable[Path]) -> None:
        """Open texts belong with other files than was known when they were looked at."""
        self.changed()
        self._renewed = self.revision
        self.refresher.everything_soon()
        for text in filter(None, map(self.texts.at, paths)):
            self.publisher.touch(text)

    def preferences_in(self, root: Root) -> Preferences:
        return self.preferences.get(root.folder, self.defaults)

    def _snapshot(self, text: OpenText) -> Snapshot:
        root = self.roots.of(text.path)
        return Snapshot(text, self.revision, self.texts.overlay(), root, self.preferences_in(root))

    async def ask_file(self, uri: str, question: Callable[[Look], T]) -> T | None:
        """`ask` about a text, or about a file that is not open as it is on the disk."""
        path = file_of(uri)
        if self.texts.get(uri) is not None or path is None:
            return await self.ask(uri, question)
        closed = OpenText(uri, path, "", None, "")
        return await self._answer(self._snapshot(closed), question, Priority.REQUEST)

    async def ask(
        self, uri: str, question: Callable[[Look], T], priority: Priority = Priority.REQUEST
    ) -> T | None:
        """The answer to a question about an open text as it is now, found on the worker's thread; None where
        the text is not open or cannot be read."""
        text = self.texts.get(uri)
        return await self._answer(self._snapshot(text), question, priority) if text is not None else None

    def draft(self, uri: str, position: types.Position) -> Look | None:
        """An open text around a position as it is now, with the jobs of the last look at it: to answer what
        needs no check. None where that look does not tell enough, see `draft`."""
        text, look = self.texts.get(uri), self.last_look(uri)
        return draft(look, text, position) if text is not None and look is not None else None

    def last_look(self, uri: str) -> Look | None:
        """The last look at an open text: what it says of the text may be of an earlier state of that, but not
        of other files or settings."""
        text = self.texts.get(uri)
        look = self._looks.get(text.path) if text is not None else None
        if look is None:
            return None
        others = (self._edits.get(other.path, 0) for other in self.texts if other.path != look.text.path)
        return look if look.revision >= max(self._renewed, *others, 0) else None

    async def _answer(
        self, snapshot: Snapshot, question: Callable[[Look], T], priority: Priority
    ) -> T | None:
        def answer() -> T | None:
            look = self.look(snapshot)
            return question(look) if look is not None else None

        return await self.worker.run(priority, answer)

    def look(self, snapshot: Snapshot) -> Look | None:
        """The look at a text, made once a revision; None where the text is too large to be read."""
        path = snapshot.text.path
        known = self._looks.get(path)
        if known is None or known.revision != snapshot.revision:
            known = self._made(snapshot)
        if known is None:
            self._looks.pop(path, None)
            return None
        self._looks[path] = known
        self._looks.move_to_end(path)
        while len(self._looks) > MOST_LOOKS:
            self._looks.popitem(last=False)
        return known

    def _made(self, snapshot: Snapshot) -> Look | None:
        text, revision, overlay, root, preferences = snapshot
        analysis = root.analyse(text.path, overlay, preferences)
        for notice in analysis.report.notices:
            self.tell_once(notice.message)
        document = root.workspace.read(text.path)
        if isinstance(document, Notice):
            return None
        return Look(text, revision, root, analysis, document, self.client, preferences)

    def tell_once(self, message: str, level: int = logging.WARNING) -> None:
        """Log what was noticed, once a session: a rule that fails does so at every keystroke."""
        if message not in self._told:
            self._told[message] = None
            for old in [*self._told][:-MOST_TOLD]:
                del self._told[old]
            log.log(level, "%s", message)

    def failed(self, what: str, error: BaseException) -> None:
        """A failure of ours goes to the log, not into a dialog over the user's text; how it came about goes
        to standard error."""
        message = f"{what} failed with {type(error).__name__}: {error}"
        if message not in self._told:
            logging.getLogger("shardlint_lsp").error("%s", message, exc_info=error)
        self.tell_once(message, logging.ERROR)

    def report_server_error(self, error: Exception, source: object) -> None:
        self.failed(getattr(source, "__name__", str(source)), error)
