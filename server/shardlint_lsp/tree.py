"""Walks over a parsed tree, without recursion: a text may nest as deep as it likes."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.syntax.tree import Alias, Mapping, Node, Pair, Scalar, Sequence, Span

LONGEST_LINE = 1000
"""Text that far behind a node is not looked at for it."""

QUOTES = {"double": 1, "single": 1, "triple": 3}


def children(node: Node) -> Iterator[tuple[Pair | None, Node]]:
    """The values right below a node, each with the pair it stands in (None for the item of a list)."""
    if isinstance(node, Mapping):
        for pair in node.pairs:
            yield pair, pair.value
    elif isinstance(node, Sequence):
        for item in node.items:
            yield None, item


def walk(*roots: Node) -> Iterator[tuple[Pair | None, Node]]:
    """Every node of some trees, parents before children, in the order written; aliases are not entered."""
    entered: list[Iterator[tuple[Pair | None, Node]]] = [iter([(None, root) for root in roots])]
    while entered:
        found = next(entered[-1], None)
        if found is None:
            entered.pop()
        else:
            yield found
            entered.append(children(found[1]))


def descend(roots: tuple[Node, ...], offset: int) -> Iterator[tuple[Pair | None, Node]]:
    """The nodes around an offset, from the root down. Of several side by side the smallest: the tables of
    TOML may lie within each other's span. The last one's value may lie elsewhere in its pair."""
    pair: Pair | None = None
    node = next((root for root in roots if holds(root.span, offset)), None)
    while node is not None:
        yield pair, node
        pair, node = min(
            ((pair, value) for pair, value in children(node) if holds(_whole(pair, value), offset)),
            key=lambda found: _size(_whole(*found)),
            default=(None, None),
        )


def _whole(pair: Pair | None, value: Node) -> Span:
    return pair.span if pair is not None else value.span


def _size(span: Span) -> int:
    return span.end - span.start


def near(offset: int, text: str, *roots: Node) -> Iterator[tuple[Pair | None, Node]]:
    """The nodes around an offset, parents before children, and those that end before it on its line: what is
    not closed ends early. For languages in which a section stands in one piece."""
    pending: list[tuple[Pair | None, Node]] = [(None, root) for root in reversed(roots)]
    while pending:
        pair, node = pending.pop()
        if reaches(pair.span if pair is not None else node.span, offset, text):
            yield pair, node
            pending.extend(reversed([*children(node)]))


def reaches(span: Span, offset: int, text: str) -> bool:
    """Whether a span holds an offset, or ends before it on its line."""
    start, end = span
    return start <= offset and (
        offset <= end or (offset - end < LONGEST_LINE and "\n" not in text[end:offset])
    )


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
