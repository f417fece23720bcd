"""YAML events to positioned nodes, with an explicit stack: no recursion, no resolver, no alias expansion.

Imports ruamel.yaml (some 12 ms): import this module inside functions only, on the first YAML text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from shardlint.syntax.document import Mark
from shardlint.syntax.expression import expression
from shardlint.syntax.tree import Alias, Mapping, Node, Pair, Scalar, Sequence, Span

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 200
MAX_INT_DIGITS = 4300  # what Python reads before int() refuses (3.11 and later)

_STYLES = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_PROPERTY = expression(r"(?:[ \t\r\n]+|#[^\r\n]*)*(&[^\s,\[\]{}]+|!<[^>\s]*>|![^\s,\[\]{}]*)")
_BEFORE_VALUE = (":", "-", "?")
_HEADER = expression(r"[^\r\n]*")
_SPACE = expression(r"(?:[ \t\r\n]+|#[^\r\n]*)*")


class Stop(NamedTuple):
    """Where and why a parser gave up. `opener` is where the construct it was in began."""

    at: int
    opener: int | None
    message: str
    too_deep: bool = False


class TooDeep(Exception):
    """More than MAX_DEPTH collections are open."""


class _Frame:
    __slots__ = ("key", "mappings", "marks", "node")

    def __init__(self, node: Mapping | Sequence, marks: int, mappings: int) -> None:
        self.node = node
        self.key: Scalar | None = None
        self.marks = marks
        self.mappings = mappings


class Tree:
    """What the events of one text gave: roots, marks, and what later passes need.

    `stop` is None when the whole text was read. `opaque` are the spans of scalars in which a `#` is no
    comment (quoted and block scalars). `mappings` lists every mapping once. `undefined` are aliases
    without an anchor; `last` is the start of the last scalar read.
    """

    __slots__ = (
        "anchors",
        "last",
        "mappings",
        "marks",
        "opaque",
        "roots",
        "stack",
        "stop",
        "text",
        "undefined",
    )

    def __init__(self, text: str, anchors: dict[str, Node]) -> None:
        self.text = text
        self.anchors = anchors
        self.roots: list[Node] = []
        self.marks: list[Mark] = []
        self.mappings: list[Mapping] = []
        self.opaque: list[Span] = []
        self.undefined: list[Alias] = []
        self.stack: list[_Frame] = []
        self.stop: Stop | None = None
        self.last = 0

    def run(self, next_event: Callable[[], Any]) -> None:
        """Consume events to the end of the stream; raises what the parser raises."""
        add = self._add
        scalar = self._scalar
        documents = 0
        while True:
            event = next_event()
            kind: Any = event.__class__
            if kind is ScalarEvent:
                add(scalar(event))
            elif kind is MappingStartEvent:
                node = Mapping(_start(event), [], bool(event.flow_style))
                self._open(event, node)
                self.mappings.append(node)
            elif kind is SequenceStartEvent:
                self._open(event, Sequence(_start(event), [], bool(event.flow_style)))
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                add(self._close(self.stack.pop(), event.end_mark.index))
            elif kind is AliasEvent:
                add(self._alias(event))
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self.anchors = {}
                    self.marks.append(Mark("multi-document", _whole(event)))
            elif kind is StreamEndEvent:
                return

    def close_open(self) -> None:
        """After a fault: end the open collections with what they hold, as guesses."""
        while self.stack:
            frame = self.stack.pop()
            if frame.key is not None and isinstance(frame.node, Mapping):
                at = frame.key.span.end
                missing = Scalar(Span(at, at), "", "", "missing", guessed=True)
                frame.node.pairs.append(Pair(frame.key, missing, frame.key.span, guessed=True))
            frame.node.guessed = True
            frame.node.span = Span(frame.node.span.start, _content_end(frame.node))
            self._add(frame.node)

    def _add(self, node: Node) -> None:
        if not self.stack:
            self.roots.append(node)
            return
        frame = self.stack[-1]
        parent = frame.node
        if parent.__class__ is Mapping and frame.key is None:
            frame.key = self._key(node)
            return
        if isinstance(node, Scalar) and node.style == "missing":
            node.span = self._after_sign(node.span.start)
        if isinstance(parent, Sequence):
            parent.items.append(node)
        elif frame.key is not None:
            key = frame.key
            parent.pairs.append(Pair(key, node, Span(key.span.start, max(node.span.end, key.span.end))))
            frame.key = None

    def _key(self, node: Node) -> Scalar:
        if isinstance(node, Scalar):
            if node.text == "<<" and node.style == "plain":
                self.marks.append(Mark("merge-key", node.span))
            return node
        raw = self.text[node.span.start : node.span.end]
        if isinstance(node, Alias):
            target = node.target
            return Scalar(node.span, raw, target.text if isinstance(target, Scalar) else raw, "plain")
        self.marks.append(Mark("complex-key", node.span))
        return Scalar(node.span, raw, raw, "plain")

    def _scalar(self, event: Any) -> Scalar:
        start: int = event.start_mark.index
        end: int = event.end_mark.index
        value: str = event.value
        text = self.text
        self.last = start
        if value and not event.style and text[start:end] == value and end - start <= MAX_INT_DIGITS:
            return Scalar(Span(start, end), value, value)  # plain, on one line, without properties
        return self._odd_scalar(event, start, end, value)

    def _odd_scalar(self, event: Any, start: int, end: int, value: str) -> Scalar:
        text = self.text
        tag = ""
        if end > start and text[start] in "&!":
            outer = start
            start, tag = self._properties(start, end, event)
            if value == "" and not event.style:
                start = end = _trimmed(text, outer, end)
        if event.style:
            inside = start
            if event.style in "|>":
                end = _trimmed(text, start, end)
                inside = _skip(_HEADER, text, start)
            self.opaque.append(Span(inside, end))
            style = _STYLES[event.style]
        else:
            style = "plain" if end > start else "missing"
        span = Span(start, end)
        raw = text[start:end]
        if style == "plain":
            if raw != value and ("\n" in raw or "\r" in raw):
                self.marks.append(Mark("multi-line-plain", span))
            elif len(raw) > MAX_INT_DIGITS and raw.isdecimal():
                self.marks.append(Mark("huge-int", span))
        node = Scalar(span, raw, value, style, tag)
        if event.anchor:
            self._anchor(event.anchor, node)
        return node

    def _after_sign(self, at: int) -> Span:
        """Where a value that is not written would stand; the pure parser names the token after it."""
        if self.text[at - 1 : at] not in _BEFORE_VALUE:
            sign = max(self.text.rfind(mark, 0, at) for mark in _BEFORE_VALUE)
            if sign >= 0 and _skip(_SPACE, self.text, sign + 1) >= at:
                at = sign + 1
        return Span(at, at)

    def _open(self, event: Any, node: Mapping | Sequence) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise TooDeep
        frame = _Frame(node, len(self.marks), len(self.mappings))
        if event.anchor or event.tag:
            start, node.tag = self._properties(node.span.start, len(self.text), event)
            node.span = Span(start, start)
            if event.anchor:
                self._anchor(event.anchor, node)
        self.stack.append(frame)

    def _close(self, frame: _Frame, end: int) -> Node:
        node = frame.node
        start = node.span.start
        closed = node.flow and self.text[start : start + 1] in ("[", "{")
        node.span = Span(start, end if closed else _content_end(node))
        if isinstance(node, Mapping) and self._is_placeholder(node):
            del self.marks[frame.marks :]
            del self.mappings[frame.mappings :]
            self.marks.append(Mark("template", node.span))
            raw = self.text[start:end]
            return Scalar(node.span, raw, raw, "plain")
        return node

    def _is_placeholder(self, node: Mapping) -> bool:
        """`{{ x }}` is a flow mapping whose only key is a flow mapping."""
        start, end = node.span
        return (
            node.flow
            and len(node.pairs) == 1
            and self.text.startswith("{{", start)
            and self.text[end - 2 : end] == "}}"
        )

    def _alias(self, event: Any) -> Alias:
        node = Alias(_whole(event), event.anchor, self.anchors.get(event.anchor))
        self.marks.append(Mark("alias", node.span))
        if node.target is None:
            self.undefined.append(node)
        return node

    def _anchor(self, name: str, node: Node) -> None:
        if name in self.anchors:
            self.marks.append(Mark("duplicate-anchor", node.span, self.anchors[name].span))
        self.anchors[name] = node

    def _properties(self, start: int, end: int, event: Any) -> tuple[int, str]:
        """Skip one anchor and one tag; where the content begins and the tag as written."""
        tag = ""
        for _ in range(bool(event.anchor) + (1 if event.tag else 0)):
            found = _PROPERTY.match(self.text, start, end)
            if found is None:
                break
            start = found.end()
            if found.group(1).startswith("!"):
                tag = found.group(1)
                self.marks.append(Mark("tagged", Span(*found.span(1))))
        return min(_skip(_SPACE, self.text, start), end), tag


def _start(event: Any) -> Span:
    at: int = event.start_mark.index
    return Span(at, at)


def _whole(event: Any) -> Span:
    return Span(event.start_mark.index, event.end_mark.index)


def _content_end(node: Mapping | Sequence) -> int:
    if isinstance(node, Mapping):
        return node.pairs[-1].span.end if node.pairs else node.span.start
    return max(node.items[-1].span.end, node.span.start) if node.items else node.span.start


def _trimmed(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip(" \t\r\n"))


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
