"""The tree that TOML's headers and dotted keys build: nested mappings, however spread over the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from shardlint.syntax.document import Mark
from shardlint.syntax.tree import Mapping, Node, Pair, Scalar, Sequence, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

Key: TypeAlias = "list[Scalar]"


class Tables:
    """Places pairs and tables. Nothing raises: a key already taken is kept as a second pair and marked."""

    def __init__(self) -> None:
        self.root = Mapping(Span(0, 0), [], flow=False)
        self.marks: list[Mark] = []
        self._pairs: dict[int, dict[str, Pair]] = {id(self.root): {}}
        self._opened: dict[int, Span] = {}

    def table(self, key: Key, end: int) -> Mapping:
        """The table a header `[key]` opens; `end` is the offset after the header."""
        parent = self._walk(self.root, key[:-1], end)
        found = self._pairs[id(parent)].get(key[-1].text)
        if found is not None and isinstance(found.value, Mapping) and not found.value.flow:
            opened = self._opened.get(id(found.value))
            if opened is not None:
                self.marks.append(Mark("duplicate-key", key[-1].span, opened))
            self._opened[id(found.value)] = key[-1].span
            return found.value
        table = self._mapping(end)
        self._opened[id(table)] = key[-1].span
        self._add(parent, key[-1], table)
        return table

    def array_table(self, key: Key, end: int) -> Mapping:
        """A new item of the array of tables `[[key]]`."""
        parent = self._walk(self.root, key[:-1], end)
        found = self._pairs[id(parent)].get(key[-1].text)
        table = self._mapping(end)
        if found is not None and isinstance(found.value, Sequence) and not found.value.flow:
            found.value.items.append(table)
        else:
            self._add(parent, key[-1], Sequence(Span(end, end), [table], flow=False))
        return table

    def put(self, table: Mapping, key: Key, value: Node) -> None:
        """`key = value` inside a table; a dotted key opens tables on its way."""
        self._add(self._walk(table, key[:-1], key[-1].span.start), key[-1], value)

    def inline(self, start: int, end: int) -> Mapping:
        """An empty inline table."""
        table = Mapping(Span(start, end), [], flow=True)
        self._pairs[id(table)] = {}
        return table

    def finish(self) -> None:
        """Give every table and every pair the span of what it holds, children first."""
        order: list[Node] = []
        pending: list[Node] = [self.root]
        while pending:
            node = pending.pop()
            order.append(node)
            if isinstance(node, Mapping):
                pending.extend(pair.value for pair in node.pairs)
            elif isinstance(node, Sequence):
                pending.extend(node.items)
        for node in reversed(order):
            _settle(node)

    def _walk(self, table: Mapping, key: Iterable[Scalar], at: int) -> Mapping:
        for part in key:
            found = self._pairs[id(table)].get(part.text)
            value = found.value if found is not None else None
            if isinstance(value, Sequence) and not value.flow and value.items:
                value = value.items[-1]
            if isinstance(value, Mapping) and id(value) in self._pairs:
                table = value
                continue
            inner = self._mapping(at)
            self._add(table, part, inner)
            table = inner
        return table

    def _mapping(self, at: int) -> Mapping:
        table = Mapping(Span(at, at), [], flow=False)
        self._pairs[id(table)] = {}
        return table

    def _add(self, table: Mapping, key: Scalar, value: Node) -> None:
        known = self._pairs[id(table)]
        pair = Pair(key, value, Span(key.span.start, max(key.span.end, value.span.end)), value.guessed)
        if key.text in known:
            self.marks.append(Mark("duplicate-key", key.span, known[key.text].key.span))
        known[key.text] = pair
        table.pairs.append(pair)


def _settle(node: Node) -> None:
    if isinstance(node, Mapping):
        for pair in node.pairs:
            start = min(pair.key.span.start, pair.value.span.start)
            pair.span = Span(start, max(pair.key.span.end, pair.value.span.end))
        if not node.flow and node.pairs:
            spans = [pair.span for pair in node.pairs]
            node.span = Span(min(span.start for span in spans), max(span.end for span in spans))
    elif isinstance(node, Sequence) and not node.flow and node.items:
        spans = [item.span for item in node.items]
        node.span = Span(min(span.start for span in spans), max(span.end for span in spans))
