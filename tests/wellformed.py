"""What holds for every Document, however broken the text was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.syntax.tree import Mapping, Node, Scalar, Sequence, Span
from shardlint.syntax.view import Dialect, to_value

if TYPE_CHECKING:
    from shardlint.syntax.document import Document


def check_document(document: Document, dialect: Dialect) -> None:
    """Spans lie in the text and in their parent's, raw is the text at the span, no node stands twice,
    every value can be read."""
    seen: set[int] = set()
    pending: list[tuple[Node, Span]] = [(root, Span(0, len(document.text))) for root in document.roots]
    while pending:
        node, around = pending.pop()
        assert id(node) not in seen, node
        seen.add(id(node))
        _check_node(document.text, node, around)
        if isinstance(node, Mapping):
            for pair in node.pairs:
                _check_node(document.text, pair.key, pair.span)
                _inside(pair.span, node.span)
                pending.append((pair.value, pair.span))
        elif isinstance(node, Sequence):
            pending.extend((item, node.span) for item in node.items)
    for place in (*document.marks, *document.faults):
        _inside(place.span, Span(0, len(document.text)))
        if place.related is not None:
            _inside(place.related, Span(0, len(document.text)))
    for comment in document.comments:
        assert document.text[comment.start : comment.end].startswith("#")
    for root in document.roots:
        to_value(root, dialect)


def _check_node(text: str, node: Node, around: Span) -> None:
    _inside(node.span, around)
    if isinstance(node, Scalar) and node.style != "missing":
        assert text[node.span.start : node.span.end] == node.raw, node


def _inside(inner: Span, outer: Span) -> None:
    assert outer.start <= inner.start <= inner.end <= outer.end, (inner, outer)
