"""The last resort for text no edit makes readable: one line, one key, nesting by indentation. All guesses."""

from __future__ import annotations

import re
from typing import NamedTuple

from shardlint.syntax.expression import expression
from shardlint.syntax.tree import Mapping, Pair, Scalar, Sequence, Span

MAX_DEPTH = 200

MAX_LINE = 5_000

_LINE = expression(r"(?P<indent>[ \t]*)(?P<content>[^\r\n]*)(?:\r\n|\r|\n|\Z)")
_DASH = expression(r"-(?:[ \t]+|\Z)")
_KEY = expression(r"(\"[^\"]*\"[ \t]*|'[^']*'[ \t]*|[^\s#\"'\[\]{},][^#]*?):(?:[ \t]+|\Z)")
_COMMENT = expression(r"(?:\A|(?<=[ \t]))#.*\Z")
_QUOTED = expression(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*')[ \t]*(?:#.*)?\Z")
_BLOCK = expression(r"[|>][-+0-9]*\Z")


class _Level(NamedTuple):
    indent: int
    node: Mapping | Sequence


class LineScan:
    """Reads a stretch of text line by line; `root` is None when no line held a key or an item."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self._levels: list[_Level] = []
        self._block_above = -1
        self.root: Mapping | Sequence | None = None
        while start < end:
            found = _LINE.match(text, start, end)
            if found is None or found.end() == start:
                break
            self._line(found)
            start = found.end()
        self._close(-1)

    def _line(self, found: re.Match[str]) -> None:
        content = _COMMENT.sub("", found.group("content")).rstrip(" \t")
        indent = len(found.group("indent"))
        if not content or len(content) > MAX_LINE:
            return
        if self._block_above >= 0:
            if indent > self._block_above:
                return
            self._block_above = -1
        at = found.start("content")
        while (dash := _DASH.match(content)) is not None:
            self._item(indent, at)
            indent += dash.end()
            at += dash.end()
            content = content[dash.end() :]
        key = _KEY.match(content)
        if key is not None:
            self._pair(indent, at, key, content[key.end() :])
        elif content:
            self._bare(at, content)

    def _pair(self, indent: int, at: int, key: re.Match[str], rest: str) -> None:
        mapping = self._container(indent, at, Mapping)
        if not isinstance(mapping, Mapping):
            return
        raw = key.group(1).rstrip(" \t")
        span = Span(at, at + len(raw))
        style, text = _unquote(raw)
        name = Scalar(span, raw, text, style, guessed=True)
        start = at + key.end()
        value = self._value(start, rest) if rest else self._missing(at + len(key.group().rstrip()))
        pair = Pair(name, value, Span(at, max(value.span.end, span.end)), guessed=True)
        mapping.pairs.append(pair)
        if _BLOCK.match(rest):
            self._block_above = indent

    def _bare(self, at: int, content: str) -> None:
        """A word on its own: the value of the item it stands in, else a key that is still being typed."""
        parent = self._levels[-1].node if self._levels else None
        if isinstance(parent, Sequence):
            parent.items.append(self._value(at, content))

    def _item(self, indent: int, at: int) -> None:
        self._container(indent, at, Sequence)

    def _container(
        self, indent: int, at: int, kind: type[Mapping] | type[Sequence]
    ) -> Mapping | Sequence | None:
        """The open collection a line of that indentation belongs to, opened here when there is none yet."""
        self._close(indent)
        if self._levels and self._levels[-1].indent == indent and not isinstance(self._levels[-1].node, kind):
            if kind is Mapping:
                self._end()
            elif not self._awaits_value():
                return None
        if not self._levels:
            return (
                self._open(indent, kind(Span(at, at), [], flow=False, guessed=True))
                if self.root is None
                else None
            )
        top = self._levels[-1]
        if isinstance(top.node, kind) and (top.indent == indent or not self._awaits_value()):
            return top.node
        if len(self._levels) >= MAX_DEPTH or not self._awaits_value():
            return None
        return self._open(indent, kind(Span(at, at), [], flow=False, guessed=True))

    def _awaits_value(self) -> bool:
        node = self._levels[-1].node
        if isinstance(node, Sequence):
            return True
        value = node.pairs[-1].value if node.pairs else None
        return isinstance(value, Scalar) and value.style == "missing"

    def _open(self, indent: int, node: Mapping | Sequence) -> Mapping | Sequence:
        parent = self._levels[-1].node if self._levels else None
        if parent is None:
            self.root = node
        elif isinstance(parent, Sequence):
            parent.items.append(node)
        else:
            parent.pairs[-1].value = node
        self._levels.append(_Level(indent, node))
        return node

    def _close(self, indent: int) -> None:
        while self._levels and self._levels[-1].indent > indent:
            self._end()

    def _end(self) -> None:
        node = self._levels.pop().node
        children = (
            [pair.span for pair in node.pairs] if isinstance(node, Mapping) else [n.span for n in node.items]
        )
        node.span = Span(node.span.start, max((span.end for span in children), default=node.span.end))
        parent = self._levels[-1].node if self._levels else None
        if isinstance(parent, Mapping):
            pair = parent.pairs[-1]
            pair.span = Span(pair.span.start, node.span.end)

    def _value(self, at: int, content: str) -> Scalar:
        quoted = _QUOTED.match(content)
        raw = quoted.group(1) if quoted else content
        style, text = _unquote(raw)
        return Scalar(Span(at, at + len(raw)), raw, text, style, guessed=True)

    def _missing(self, at: int) -> Scalar:
        return Scalar(Span(at, at), "", "", "missing", guessed=True)


def _unquote(raw: str) -> tuple[str, str]:
    if len(raw) >= 2 and raw[0] == raw[-1] and raw[0] in "\"'":
        inner = raw[1:-1]
        return ("single", inner.replace("''", "'")) if raw[0] == "'" else ("double", inner)
    return "plain", raw
