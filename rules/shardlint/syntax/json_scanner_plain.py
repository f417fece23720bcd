"""The fast half of the JSON scanner: plain JSON, a pair at a time, onto a stack of open containers."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from shardlint.syntax import json_scanner_tokens as tokens
from shardlint.syntax.document import Document, Fault, Mark
from shardlint.syntax.tree import Mapping, Node, Pair, Scalar, Sequence, Span

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 200
MAX_MARKS = 50_000
"""Odd constructs above which a text is no config worth reading on."""

NEEDED, OPENED = -1, -2
"""`Frame.comma`: a comma must come first; nothing was read yet. Else the offset of the comma read last."""

_span = cast("Callable[[type[Span], tuple[int, int]], Span]", tuple.__new__)  # pyright: ignore[reportUnknownMemberType]
"""What `Span(start, end)` does, in half the time."""


class Frame:
    """An open container.

    `pairs` is None for a list. `key` waits for its value. `end` is where the content read last ended.
    `guess`: what is put in here stands on a repair. `implied`: the opening bracket was not written, and
    `start` is the offset of what it should precede. `indent` and `child` are columns that only the
    indentation pass fills in.
    """

    __slots__ = (
        "child",
        "comma",
        "end",
        "guess",
        "implied",
        "indent",
        "items",
        "key",
        "node",
        "pair",
        "pairs",
        "seen",
        "start",
    )

    def __init__(self, node: Mapping | Sequence, start: int, pair: Pair | None, guess: bool) -> None:
        self.node = node
        self.start = start
        self.pair = pair
        self.guess = guess
        self.pairs: list[Pair] | None = node.pairs if isinstance(node, Mapping) else None
        self.items: list[Node] = [] if isinstance(node, Mapping) else node.items
        self.end = start + 1
        self.comma = OPENED
        self.key: Scalar | None = None
        self.seen: dict[str, Span] = {}
        self.implied = False
        self.indent: int | None = None
        self.child: int | None = None


class PlainScanner:
    """The state of a scan, and the reading of whatever is plain JSON."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self.root: Node | None = None
        self.faults: list[Fault] = []
        self.marks: list[Mark] = []
        self.comments: list[Span] = []
        self.stack: list[Frame] = []

    def stretch(self, at: int) -> int:
        """Read on from `at` while the text is plain JSON; where it stops being that."""
        stack = self.stack
        while stack and len(stack) < MAX_DEPTH:
            frame = stack[-1]
            if frame.guess or frame.key is not None:
                return at
            before = at
            if frame.comma != NEEDED:
                at = self._pairs(at, frame) if frame.pairs is not None else self._items(at, frame)
            if stack[-1] is frame and frame.comma < 0:
                at = self._closers(at)
            if at == before:
                return at
        return at

    def push(self, start: int, node: Mapping | Sequence, pair: Pair | None, guess: bool = False) -> Frame:
        frame = Frame(node, start, pair, guess)
        self.stack.append(frame)
        return frame

    def pop(self, end: int) -> Frame:
        """Close the innermost container at `end`."""
        frame = self.stack.pop()
        frame.node.span = Span(frame.node.span.start, end)
        if frame.pair is not None:
            frame.pair.span = Span(frame.pair.span.start, end)
        if self.stack:
            self.stack[-1].end = end
        return frame

    def _pairs(self, at: int, frame: Frame) -> int:
        """Pairs up to the first opening bracket or the last one that a comma follows."""
        text, match, seen, pairs = self.text, tokens.PAIR.match, frame.seen, frame.pairs
        assert pairs is not None
        while True:
            found = match(text, at)
            if found is None:
                return at
            _, (start, stop), (left, right), plain, comma, bracket = found.regs
            key_span = _span(Span, (start - 1, stop + 1))
            name = text[start:stop]
            key = Scalar(key_span, text[start - 1 : stop + 1], name, "double")
            if seen.setdefault(name, key_span) is not key_span:
                self.marks.append(Mark("duplicate-key", key_span, seen[name]))
            at = found.end()
            if bracket[0] >= 0:
                self._enter(bracket[0], frame, key)
                return at
            if left >= 0:
                value = Scalar(
                    _span(Span, (left - 1, right + 1)), text[left - 1 : right + 1], text[left:right], "double"
                )
            else:
                raw = text[plain[0] : plain[1]]
                value = Scalar(_span(Span, plain), raw, raw)
            end = value.span.end
            pairs.append(Pair(key, value, _span(Span, (start - 1, end))))
            frame.comma = comma[0]
            if comma[0] < 0:
                frame.end = end
                return at

    def _items(self, at: int, frame: Frame) -> int:
        text, match, items = self.text, tokens.ITEM.match, frame.items
        while True:
            found = match(text, at)
            if found is None:
                return at
            _, (left, right), plain, comma, bracket = found.regs
            at = found.end()
            if bracket[0] >= 0:
                self._enter(bracket[0], frame, None)
                return at
            if left >= 0:
                value = Scalar(
                    _span(Span, (left - 1, right + 1)), text[left - 1 : right + 1], text[left:right], "double"
                )
            else:
                raw = text[plain[0] : plain[1]]
                value = Scalar(_span(Span, plain), raw, raw)
            items.append(value)
            frame.comma = comma[0]
            if comma[0] < 0:
                frame.end = value.span.end
                return at

    def _enter(self, at: int, frame: Frame, key: Scalar | None) -> None:
        node: Mapping | Sequence = (
            Mapping(Span(at, at), []) if self.text[at] == "{" else Sequence(Span(at, at), [])
        )
        pair = None
        frame.comma = NEEDED
        if key is None:
            frame.items.append(node)
        elif frame.pairs is not None:
            pair = Pair(key, node, key.span)
            frame.pairs.append(pair)
        self.push(at, node, pair)

    def _closers(self, at: int) -> int:
        """Closing brackets that fit, up to the first one a comma follows."""
        text, stack, match = self.text, self.stack, tokens.CLOSE.match
        while stack:
            frame = stack[-1]
            found = match(text, at)
            if found is None or frame.implied or (text[found.start(1)] == "}") != (frame.pairs is not None):
                return at
            at = found.end()
            self.pop(found.end(1))
            if not stack:
                return found.end(1)
            comma = found.start(2)
            if comma >= 0:
                stack[-1].comma = comma
                return at
        return at
