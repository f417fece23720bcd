"""A text as an editor holds it, with the positions of the protocol worked out apart from the server."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

UNITS = {
    types.PositionEncodingKind.Utf8: ("utf-8", 1),
    types.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    types.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}
LINE_END = re.compile(r"\r\n|\n|\r")


class Buffer:
    """One open text and its version."""

    def __init__(self, uri: str, text: str, encoding: types.PositionEncodingKind) -> None:
        self.uri = uri
        self.text = text
        self.encoding = encoding
        self.version = 1

    @property
    def identifier(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def position(self, offset: int) -> types.Position:
        before = [0, *(found.end() for found in LINE_END.finditer(self.text, 0, offset))]
        return types.Position(len(before) - 1, _units(self.text[before[-1] : offset], self.encoding))

    def range(self, start: int, end: int) -> types.Range:
        return types.Range(self.position(start), self.position(end))

    def range_of(self, part: str) -> types.Range:
        """Where a part of the text stands that is there once."""
        start = self._find(part)
        return self.range(start, start + len(part))

    def at(self, marked: str) -> types.Position:
        """The place of the `|` in a part of the text that is there once."""
        return self.position(self._find(marked.replace("|", "")) + marked.index("|"))

    def shown(self, range: types.Range) -> str:
        """The text in a range."""
        return self.text[self.offset(range.start) : self.offset(range.end)]

    def offset(self, position: types.Position) -> int:
        start = [0, *(found.end() for found in LINE_END.finditer(self.text))][position.line]
        name, size = UNITS[self.encoding]
        ahead = self.text[start:].encode(name)[: position.character * size]
        return start + len(ahead.decode(name))

    def splice(self, start: int, end: int, text: str) -> types.TextDocumentContentChangePartial:
        """Put a text in place of a part; the change that tells of it."""
        change = types.TextDocumentContentChangePartial(range=self.range(start, end), text=text)
        self.text = self.text[:start] + text + self.text[end:]
        return change

    def swap(self, old: str, new: str) -> types.TextDocumentContentChangePartial:
        """Put another text in place of one that is there once."""
        start = self._find(old)
        return self.splice(start, start + len(old), new)

    def apply(self, edits: Sequence[types.TextEdit]) -> list[types.TextDocumentContentChangeEvent]:
        """Make edits that all speak of the text as it is now; the changes that tell of them."""
        placed = [(self.offset(edit.range.start), self.offset(edit.range.end), edit) for edit in edits]
        backwards = sorted(placed, key=lambda found: found[:2], reverse=True)
        return [self.splice(start, end, edit.new_text) for start, end, edit in backwards]

    def _find(self, part: str) -> int:
        assert self.text.count(part) == 1, (part, self.text)
        return self.text.index(part)


def _units(text: str, encoding: types.PositionEncodingKind) -> int:
    name, size = UNITS[encoding]
    return len(text.encode(name)) // size
