"""Growing a selection: content, value with its quotes, pair, what the section holds, section, text."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Mapping, Node, Sequence, Span
from shardlint_lsp.look import Look
from shardlint_lsp.recognised import recognised_view
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.tree import content, descend, holds

DEEPEST = 60
"""Steps of one selection: clients and the encoder go up recursively."""


def selections(look: Look, offset: int) -> list[Span]:
    """The spans around an offset, the whole text first, each strictly within the one before."""
    view = recognised_view(look)
    document = view.document if view is not None else look.document
    chain = [Span(0, len(document.text))]
    for span in _around(document, offset) if view is not None else ():
        before = chain[-1]
        within = before.start <= span.start and span.end <= before.end
        if within and span != before and holds(span, offset):
            chain.append(span)
    return [chain[0], *chain[1:][1 - DEEPEST :]]


def _around(document: Document, offset: int) -> Iterator[Span]:
    comment = next((span for span in document.comments if holds(span, offset)), None)
    if comment is not None:
        yield comment
        return
    for pair, node in descend(document.roots, offset):
        if pair is not None:
            yield pair.span
            if holds(pair.key.span, offset):
                yield pair.key.span
                yield content(pair.key)
                return
        yield node.span
        yield _inside(node, document.text)


def _inside(node: Node, text: str) -> Span:
    """What brackets or quotes hold, blanks at its ends left out."""
    if not isinstance(node, Mapping | Sequence) or not node.flow:
        return content(node)
    start, end = node.span.start + 1, node.span.end - (text[node.span.end - 1 : node.span.end] in ("}", "]"))
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if start <= end else node.span


def answers(look: Look, wanted: list[types.Position]) -> list[types.SelectionRange]:
    found: list[types.SelectionRange] = []
    for position in wanted:
        made: types.SelectionRange | None = None
        for span in selections(look, look.positions.offset(position)):
            made = types.SelectionRange(look.positions.range(span), made)
        assert made is not None
        found.append(made)
    return found


def register(server: ShardlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    async def select(  # pyright: ignore[reportUnusedFunction]
        params: types.SelectionRangeParams,
    ) -> list[types.SelectionRange] | None:
        uri, wanted = params.text_document.uri, list(params.positions)
        return await server.ask(uri, lambda look: answers(look, wanted))
