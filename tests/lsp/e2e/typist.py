"""Somebody who types at random: inserts, deletes, pastes, takes back, and replaces whole texts."""

from __future__ import annotations

import random

from lsprotocol import types

from lsp.e2e.buffer import Buffer

Change = types.TextDocumentContentChangeEvent
KEYS = (
    *'{}[],:"\n #-.0123456789eau',
    "  ",
    '"',
    '": ',
    "true",
    "auto",
    "\t",
    "\r\n",
    "🚀",
    "模",
    "ß",
    "\ufeff",
    "\x00",
)
"""What one keystroke puts into a text."""
PASTED = 400
"""Characters of the longest paste."""
GROWTH = 2
"""A text is not let grow to more than so many times what it was, and a page."""


class Typist:
    """One buffer and the edits made to it; the same seed makes the same edits."""

    def __init__(self, buffer: Buffer, seed: object) -> None:
        self.buffer = buffer
        self._first = buffer.text
        self._random = random.Random(f"{seed}")
        self._undo: list[tuple[int, int, str]] = []

    def message(self) -> list[Change]:
        """The changes of one message: mostly one, sometimes several that follow each other."""
        count = self._random.choice((1, 1, 1, 1, 1, 1, 1, 2, 3, 5))
        return [self._change() for _ in range(count)]

    def _change(self) -> Change:
        if len(self.buffer.text) > GROWTH * len(self._first) + 2000:
            return self._replace()
        kinds = (self._insert, self._delete, self._paste, self._take_back, self._replace)
        (kind,) = self._random.choices(kinds, (50, 30, 8, 10, 2))
        return kind()

    def _insert(self) -> Change:
        at = self._place()
        return self._splice(at, at, self._random.choice(KEYS))

    def _delete(self) -> Change:
        start = self._place()
        length = self._random.choice((1, 1, 1, 1, 2, 5, 20, 80))
        return self._splice(start, min(start + length, len(self.buffer.text)), "")

    def _paste(self) -> Change:
        start, at = self._place(), self._place()
        copied = self.buffer.text[start : start + self._random.randrange(1, PASTED)]
        return self._splice(at, min(at + self._random.choice((0, 0, 30)), len(self.buffer.text)), copied)

    def _take_back(self) -> Change:
        if not self._undo:
            return self._insert()
        return self.buffer.splice(*self._undo.pop())

    def _replace(self) -> Change:
        """The text as it was in the beginning, or without one of its lines."""
        lines = self._first.splitlines(keepends=True)
        if lines and self._random.random() < 0.7:
            del lines[self._random.randrange(len(lines))]
        self.buffer.text = "".join(lines)
        self._undo.clear()
        return types.TextDocumentContentChangeWholeDocument(self.buffer.text)

    def _place(self) -> int:
        return self._random.randint(0, len(self.buffer.text))

    def _splice(self, start: int, end: int, text: str) -> Change:
        """A place within a line end is none an editor knows: the edit begins or ends before it."""
        start, end = self._before_line_end(start), self._before_line_end(end)
        removed = self.buffer.text[start:end]
        change = self.buffer.splice(start, end, text)
        self._undo.append((start, start + len(text), removed))
        return change

    def _before_line_end(self, at: int) -> int:
        return at - (self.buffer.text[at - 1 : at + 1] == "\r\n") if at else at
