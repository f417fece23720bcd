"""Nodes read from an edited piece of the text, put back to where they stand in the text itself."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from shardlint.syntax.document import Mark
from shardlint.syntax.tree import Alias, Mapping, Node, Pair, Scalar, Sequence, Span
from shardlint.syntax.yaml_template import unmask

if TYPE_CHECKING:
    from collections.abc import Callable


class Line(NamedTuple):
    """One line as it goes to the parser.

    `start` is its offset in the text, `indent` how many characters of white space it has there and
    `length` how many characters without its end; `text` is what is parsed, with `new_indent` characters
    of white space. `repair` names the edit ("" when the line is as written).
    """

    start: int
    indent: int
    length: int
    text: str
    new_indent: int
    repair: str = ""

    def place(self, column: int) -> int:
        """The offset in the text of a column of `text`."""
        if column < self.new_indent:
            return self.start + min(column, self.indent)
        return self.start + min(column - self.new_indent + self.indent, self.length)


class Places:
    """From offsets in the joined lines to offsets in the text."""

    __slots__ = ("lines", "starts", "text")

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.starts: list[int] = []
        at = 0
        for line in lines:
            self.starts.append(at)
            at += len(line.text)
        self.text = "".join(line.text for line in lines)

    def row(self, offset: int) -> int:
        return max(bisect_right(self.starts, offset) - 1, 0)

    def row_start(self, offset: int) -> int:
        return self.starts[self.row(offset)] if self.starts else 0

    def original(self, offset: int) -> int:
        row = self.row(offset)
        return self.lines[row].place(offset - self.starts[row])

    def shaky(self) -> list[Span]:
        """Repaired lines, and the deeper lines below a line that was left out: their parent is a guess."""
        spans: list[Span] = []
        lost: int | None = None
        for line in self.lines:
            blank = line.length == line.indent
            if lost is not None and not blank and line.indent <= lost:
                lost = None
            if line.repair or (lost is not None and not blank):
                spans.append(Span(line.start, line.start + line.length))
            if line.repair == "unreadable-line":
                lost = line.indent
        return spans


class Mover:
    """Moves every span of a tree, takes `raw` from the text again and marks what stands on shaky lines."""

    def __init__(self, text: str, original: Callable[[int], int], shaky: list[Span]) -> None:
        self._text = text
        self._original = original
        self._shaky = shaky

    def span(self, span: Span) -> Span:
        start = self._original(span.start)
        return Span(start, max(self._original(span.end), start))

    def mark(self, mark: Mark) -> Mark:
        return Mark(mark.kind, self.span(mark.span), mark.related and self.span(mark.related))

    def child(self, child: Pair | Node) -> None:
        """Move a pair or a node with everything below it."""
        if isinstance(child, Pair):
            self._below(*self._pair(child, False))
        else:
            self._below(child, child.guessed)

    def _below(self, root: Node, certain_guess: bool) -> None:
        """Iterative: a tree may be 200 levels deep and hold 100,000 nodes."""
        pending: list[tuple[Node, bool]] = [(root, certain_guess)]
        while pending:
            node, guessed = pending.pop()
            self._node(node)
            guessed = guessed or (self._on_shaky(node.span) and not _is_block(node))
            node.guessed = node.guessed or guessed
            if isinstance(node, Mapping):
                pending.extend(self._pair(pair, guessed) for pair in node.pairs)
            elif isinstance(node, Sequence):
                pending.extend((item, guessed) for item in node.items)

    def _pair(self, pair: Pair, guessed: bool) -> tuple[Node, bool]:
        self._node(pair.key)
        pair.span = self.span(pair.span)
        pair.guessed = pair.guessed or guessed or self._on_shaky(pair.key.span)
        pair.key.guessed = pair.key.guessed or pair.guessed
        return pair.value, pair.guessed

    def _node(self, node: Node) -> None:
        node.span = self.span(node.span)
        if isinstance(node, Scalar):
            node.raw = self._text[node.span.start : node.span.end] if node.style != "missing" else ""
            node.text = unmask(node.text)
        elif isinstance(node, Alias):
            node.name = unmask(node.name)

    def _on_shaky(self, span: Span) -> bool:
        return any(span.start <= line.end and line.start <= span.end for line in self._shaky)


def _is_block(node: Node) -> bool:
    return isinstance(node, Mapping | Sequence) and not node.flow
