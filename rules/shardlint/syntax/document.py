"""Document: a parsed text that never raises. Faults are data and the rest of the tree is still there."""

from __future__ import annotations

from bisect import bisect_right
from io import StringIO
from itertools import accumulate
from typing import NamedTuple

from shardlint.syntax.tree import Node, Span


class Position(NamedTuple):
    """1-based line and column, counted in code points; only LF, CRLF and CR end a line."""

    line: int
    column: int


class Fault(NamedTuple):
    """Something no reader of this language accepts, or a limit of ours.

    `code` is a stable kebab-case name (`unclosed-string`, `missing-comma-or-bracket`, `too-deep`,
    `too-large`, `not-utf8` ...). `message` is one sentence that names what was read. `limit` is true
    for a guard of ours: then the text was not judged and nothing may be called an error.
    """

    code: str
    span: Span
    message: str
    related: Span | None = None
    limit: bool = False


class Mark(NamedTuple):
    """A construct that some readers accept and others refuse or read differently.

    Kinds: comment, trailing-comma, extra-comma, missing-comma, unquoted-key, single-quoted,
    triple-quoted, quoteless-string, python-literal, no-root-braces, nan, odd-number, raw-control,
    duplicate-key, bom, huge-int, tab-indent, merge-key, alias, tagged, complex-key, multi-document,
    multi-line-plain, template, replaced-character, utf-16, empty, odd-escape (`\\'`), overflow-float,
    stray-quote (a key with one quote), swallowed (the rest of a line that hjson takes into an unquoted
    text), hjson-break (hjson cannot read on), hjson-only (broken JSON that hjson reads in its own way),
    duplicate-anchor, tab-separator (a tab between YAML tokens; PyYAML refuses it).
    `related` is the other place (first key of a duplicate).
    """

    kind: str
    span: Span
    related: Span | None = None


class Document:
    """A text, its trees (several for YAML with `---`), faults, marks and comments.

    `language` is json (hjson included), yaml, toml or text. `name` is the path shown to people,
    relative, with `/`. `roots` is empty only for an empty or wholly unreadable text.
    """

    __slots__ = ("_starts", "comments", "faults", "language", "marks", "name", "roots", "text")

    def __init__(
        self,
        name: str,
        text: str,
        language: str,
        roots: tuple[Node, ...] = (),
        faults: tuple[Fault, ...] = (),
        marks: tuple[Mark, ...] = (),
        comments: tuple[Span, ...] = (),
    ) -> None:
        self.name = name
        self.text = text
        self.language = language
        self.roots = roots
        self.faults = faults
        self.marks = marks
        self.comments = comments
        self._starts: list[int] | None = None

    @property
    def line_starts(self) -> list[int]:
        """Offsets at which lines start; LF, CRLF and CR end a line, U+2028 and NEL do not."""
        if self._starts is None:
            self._starts = _line_starts(self.text)
        return self._starts

    def position(self, offset: int) -> Position:
        """1-based line and column of a code-point offset (clamped to the text)."""
        offset = min(max(offset, 0), len(self.text))
        starts = self.line_starts
        row = bisect_right(starts, offset) - 1
        return Position(row + 1, offset - starts[row] + 1)

    def line_text(self, line: int) -> str:
        """The text of a 1-based line without its line end."""
        starts = self.line_starts
        begin = starts[line - 1]
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[begin:end].rstrip("\r\n")


def _line_starts(text: str) -> list[int]:
    lines = StringIO(text, newline="").readlines()
    if lines and lines[-1][-1] not in "\r\n":
        lines.pop()
    return [*accumulate(map(len, lines), initial=0)]
