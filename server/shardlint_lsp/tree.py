"""Walks over a parsed tree, without recursion: a text may nest as deep as it likes."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.syntax.tree import Alias, Mapping, Node, Pair, Scalar, Sequence, Span

QUOTES = {"double": 1, "single": 1, "triple": 3}


def children(node: Node) -> list[tuple[Pair | None, Node]]:
    """The values right below a node, each with the pair it stands in (None for the item of a list)."""
    if isinstance(node, Mapping):
        return [(pair, pair.value) for pair in node.pairs]
    if isinstance(node, Sequence):
        return [(None, item) for item in node.items]
    return []


def walk(*roots: Node) -> Iterator[tuple[Pair | None, Node]]:
    """Every node of some trees, parents before children, in the order written; aliases are not entered."""
    pending: list[tuple[Pair | None, Node]] = [(None, root) for root in reversed(roots)]
    while pending:
        pair, node = pending.pop()
        yield pair, node
        pending.extend(reversed(children(node)))


def aliases(*roots: Node) -> Iterator[Alias]:
    return (node for _, node in walk(*roots) if isinstance(node, Alias))


def holds(span: Span, offset: int) -> bool:
    """Whether a cursor at an offset is on a span: before, in or right after it."""
    return span.start <= offset <= span.end


def content(node: Node) -> Span:
    """The span of a node without the quotes around it."""
    start, end = node.span
    if not isinstance(node, Scalar):
        return node.span
    quotes = QUOTES.get(node.style, 0)
    closed = quotes and len(node.raw) >= 2 * quotes and node.raw[-quotes:] == node.raw[:quotes]
    return Span(start + quotes, end - quotes) if closed else node.span
