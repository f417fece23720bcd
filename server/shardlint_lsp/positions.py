"""Between offsets in code points and the positions of the protocol, in the encoding agreed on."""

from __future__ import annotations

from bisect import bisect_right

from lsprotocol import types

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span

UTF_8 = types.PositionEncodingKind.Utf8
UTF_32 = types.PositionEncodingKind.Utf32
MARK = "\ufeff"
"""A byte-order mark."""


class Positions:
    """The positions of one text. `lead` characters stand before it in the editor (a byte-order mark).

    Positions outside the text are brought to its nearest end; a place inside a character to its start.
    """

    def __init__(self, document: Document, encoding: str = types.PositionEncodingKind.Utf16, lead: int = 0):
        self.text = document.text
        self.starts = document.line_starts
        self.encoding = encoding
        self._lead = lead * len(MARK.encode()) if encoding == UTF_8 else lead
        self._direct = encoding == UTF_32 or self.text.isascii()

    def position(self, offset: int) -> types.Position:
        offset = min(max(offset, 0), len(self.text))
        row = bisect_right(self.starts, offset) - 1
        start = self.starts[row]
        column = offset - start if self._direct else units(self.text[start:offset], self.encoding)
        return types.Position(row, column + (self._lead if row == 0 else 0))

    def range(self, span: Span) -> types.Range:
        return types.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: types.Position) -> int:
        if position.line >= len(self.starts):
            return len(self.text)
        start, end = self.line(position.line)
        count = max(position.character - (self._lead if position.line == 0 else 0), 0)
        return start + points(self.text[start:end], count, self.encoding)

    def span(self, range: types.Range) -> Span:
        """The span of a range; one that ends before it starts is turned around."""
        return Span(*sorted((self.offset(range.start), self.offset(range.end))))

    def line(self, row: int) -> tuple[int, int]:
        """Where a line starts and ends, its line end left out."""
        start = self.starts[row]
        if row + 1 == len(self.starts):
            return start, len(self.text)
        end = self.starts[row + 1] - 1
        return start, end - 1 if end > start and self.text[end - 1 : end + 1] == "\r\n" else end


def units(text: str, encoding: str) -> int:
    """How many code units of an encoding some text has."""
    if encoding == UTF_8:
        return len(text.encode("utf-8", "surrogatepass"))
    if encoding == UTF_32:
        return len(text)
    return len(text) + sum(char > "\uffff" for char in text)


def points(line: str, count: int, encoding: str) -> int:
    """How many code points of a line stand before so many code units of it, at most all."""
    if encoding == UTF_32 or line.isascii():
        return min(count, len(line))
    left = count
    for index, char in enumerate(line):
        left -= units(char, encoding)
        if left < 0:
            return index
    return len(line)
