"""Sections, lists and comments that can be folded away."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol import types

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Alias, Mapping, Node, Pair, Scalar, Sequence
from shardlint_lsp.look import Look
from shardlint_lsp.recognised import recognised_view
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.tree import walk

MOST = 5_000
"""Folds of one text: editors take no more."""
COMMENT = types.FoldingRangeKind.Comment


class Fold(NamedTuple):
    """What disappears: from the end of what stands at `start` to `end`, offsets both. `closing` says that a
    bracket at `end` stays to be seen."""

    start: int
    end: int
    kind: types.FoldingRangeKind | None = None
    closing: bool = False


def folds(look: Look) -> list[Fold]:
    """What spans several lines in a recognised file, in the order written; one a line it starts on."""
    view = recognised_view(look)
    if view is None:
        return []
    document = view.document
    found: dict[int, Fold] = {}
    for fold in (*_sections(document), *_comments(document)):
        first, last = _row(document, fold.start), _row(document, fold.end)
        if first < last:
            found.setdefault(first, fold)
    return [found[row] for row in sorted(found)][:MOST]


def _row(document: Document, offset: int) -> int:
    return bisect_right(document.line_starts, offset) - 1


def _sections(document: Document) -> Iterator[Fold]:
    roots = document.roots
    alone = roots[0] if len(roots) == 1 else None
    for pair, node in walk(*roots):
        flow = isinstance(node, Mapping | Sequence) and node.flow
        start = node.span.start if flow else _start(document, pair, node)
        if isinstance(node, Alias) or document.text.find("\n", start, node.span.end) < 0:
            continue
        if flow:
            yield Fold(start, max(node.span.end - 1, start), closing=True)
        elif node is not alone and (document.language != "toml" or _below_header(document, start, node)):
            yield Fold(start, _last(document, node))


def _start(document: Document, pair: Pair | None, node: Node) -> int:
    """Where the line that stays begins to tell what is folded: the key, or the header of a TOML table."""
    if pair is not None:
        return pair.key.span.start
    if document.language == "toml" and isinstance(node, Mapping):
        return document.text.rfind("\n[", 0, node.span.start) + 1
    return node.span.start


def _below_header(document: Document, start: int, node: Node) -> bool:
    """Whether a value of TOML is folded: a table that dotted keys make has no header and is not, nor is a
    list of tables, whose items are."""
    if not isinstance(node, Mapping):
        return isinstance(node, Scalar)
    line = document.line_starts[_row(document, start)]
    return bool(node.pairs) and document.text[line : start + 1].lstrip().startswith("[")


def _last(document: Document, node: Node) -> int:
    """The end of a node without the blank lines that a block takes in."""
    end = node.span.end
    while end > node.span.start and document.text[end - 1].isspace():
        end -= 1
    return end


def _comments(document: Document) -> Iterator[Fold]:
    """Comments on lines of their own, together where no line is between them."""
    start = end = row = -1
    for span in document.comments:
        first = _row(document, span.start)
        alone = not document.text[document.line_starts[first] : span.start].strip()
        if alone and start >= 0 and first == row + 1:
            end = span.end
        else:
            if start >= 0:
                yield Fold(start, end, COMMENT)
            start, end = (span.start, span.end) if alone else (-1, -1)
        row = _row(document, span.end)
    if start >= 0:
        yield Fold(start, end, COMMENT)


def ranges(look: Look) -> list[types.FoldingRange]:
    found = [
        _lines(look, fold) if look.client.line_folding else _characters(look, fold) for fold in folds(look)
    ]
    return [range for range in found if range.start_line < range.end_line]


def _lines(look: Look, fold: Fold) -> types.FoldingRange:
    """Whole lines, of which the first stays: so does one that begins with the closing bracket."""
    document = look.document
    first, last = _row(document, fold.start), _row(document, fold.end)
    if fold.closing and not document.text[document.line_starts[last] : fold.end].strip():
        last -= 1
    return types.FoldingRange(first, last, kind=fold.kind)


def _characters(look: Look, fold: Fold) -> types.FoldingRange:
    if not fold.closing:
        return types.FoldingRange(
            _row(look.document, fold.start), _row(look.document, fold.end), kind=fold.kind
        )
    start, end = look.positions.position(fold.start + 1), look.positions.position(fold.end)
    return types.FoldingRange(start.line, end.line, start.character, end.character, fold.kind)


def register(server: ShardlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def fold(  # pyright: ignore[reportUnusedFunction]
        params: types.FoldingRangeParams,
    ) -> list[types.FoldingRange] | None:
        return await server.ask(params.text_document.uri, ranges)
