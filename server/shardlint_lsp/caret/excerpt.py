"""The part of a long text that matters where something is typed: next to nothing stands for sections far
from it.

What can be written at a place depends on the sections around it and their keys. Reading those alone takes a
millisecond, however long the text is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Mapping, Node, Scalar, Span
from shardlint.syntax.tree import Sequence as Items
from shardlint.syntax.yaml_pieces import holds_anchor
from shardlint_lsp.caret.difference import Difference
from shardlint_lsp.caret.word import last_before, next_after
from shardlint_lsp.tree import children

SHORT = 1_000
"""Characters a text has at least before anything is left out of it."""
FARTHEST = 5_000
"""Characters of white space and comments that are looked behind."""
LEAST = 40
"""Characters a section has at least that is left out."""
BLOCK = "_: 0"
"""What stands for a section without braces: a brace would be a suspect where something near it is wrong."""


class Cut(NamedTuple):
    """Text that is left out, and what stands in its place."""

    span: Span
    filling: str


class Excerpt:
    """A text with cuts, which neither overlap nor touch, in their order.

    `outer` and `inner` are offsets in the whole text and in what is left of it; what was cut out lies at the
    start of its filling.
    """

    def __init__(self, whole: str, cuts: Sequence[Cut]) -> None:
        self._outer: list[int] = [0]
        self._inner: list[int] = [0]
        kept: list[str] = []
        for (start, end), filling in cuts:
            kept += (whole[self._outer[-1] : start], filling)
            begun = self._inner[-1] + start - self._outer[-1]
            self._outer += (start, end)
            self._inner += (begun, begun + len(filling))
        self.text = "".join((*kept, whole[self._outer[-1] :]))

    def inner(self, outer: int) -> int:
        """The offset in the excerpt of one in the whole text."""
        at = bisect_right(self._outer, outer) - 1
        return self._inner[at] + (0 if at % 2 else outer - self._outer[at])

    def outer(self, inner: int) -> int:
        """The offset in the whole text of one in the excerpt."""
        at = bisect_right(self._inner, inner) - 1
        return self._outer[at] + (0 if at % 2 else inner - self._inner[at])


def excerpt(before: Document, now: str, changed: Difference, offset: int) -> Excerpt:
    """What is left of the text `now` around an offset; `before` was read when it differed by `changed`."""
    if len(now) < SHORT or before.language not in ("json", "yaml"):
        return Excerpt(now, ())
    place = changed.before(offset)
    zones = [_zone(before, place, place)]
    if changed.size:
        zones.append(_zone(before, changed.start, changed.old_end))
    moved = changed.new_end - changed.old_end
    cuts = [
        Cut(Span(start + moved, end + moved) if start >= changed.old_end else Span(start, end), filling)
        for (start, end), filling in _cuts(before, zones, anchored="*" in now)
    ]
    return Excerpt(now, cuts)


def _zone(document: Document, first: int, last: int) -> Span:
    """What stays as it is: the lines of a stretch, and what stands before and after it."""
    start = max(last_before(document, first, first - FARTHEST), 0)
    end = min(next_after(document, last, last + FARTHEST) + 1, len(document.text))
    starts = document.line_starts
    row, below = bisect_right(starts, start) - 1, bisect_left(starts, end)
    return Span(starts[row], starts[below] if below < len(starts) else len(document.text))


def _cuts(document: Document, zones: Sequence[Span], anchored: bool) -> list[Cut]:
    """The sections beside the zones, the largest that touch none; none with an anchor, where these count."""
    found: list[Cut] = []
    pending: list[Node] = [*document.roots]
    while pending:
        node = pending.pop()
        for cut in _beside(node, zones, document.text):
            start, end = cut.span
            line = _line_above(document, start)
            if end - start >= LEAST and not (anchored and holds_anchor(document.text[line:end])):
                found.append(cut)
        pending += [value for _, value in children(node) if _touches(value, zones)]
    return sorted(found)


def _line_above(document: Document, offset: int) -> int:
    """Where the line above begins: an anchor may stand there."""
    return document.line_starts[max(document.position(offset).line - 2, 0)]


def _beside(node: Node, zones: Sequence[Span], text: str) -> Iterator[Cut]:
    """What could be cut out right below a node: values of keys, and items of a list as one, but for words."""
    values = [value for _, value in children(node)]
    filling = BLOCK if isinstance(node, Items) and not node.flow else "{}"
    if isinstance(node, Mapping):
        for value in values:
            if not _touches(value, zones):
                yield from _whole(value, text)
        return
    for kept, run in groupby(values, key=lambda value: isinstance(value, Scalar) or _touches(value, zones)):
        if not kept:
            yield from _run([*run], filling)


def _whole(node: Node, text: str) -> Iterator[Cut]:
    """A section as one; of a list in YAML that stands below its key the first dash stays."""
    if isinstance(node, Mapping | Items) and node.flow:
        start, end = node.span
        pair = text[start : start + 1] + text[end - 1 : end]
        if pair in ("{}", "[]"):
            yield Cut(node.span, pair)
    elif isinstance(node, Mapping):
        yield Cut(node.span, BLOCK)
    elif isinstance(node, Items):
        yield from _run(node.items, BLOCK)


def _run(items: Sequence[Node], filling: str) -> Iterator[Cut]:
    """Items side by side, of which one stays."""
    span = Span(items[0].span.start, items[-1].span.end) if items else Span(0, 0)
    if all(item.span.end > item.span.start for item in (*items[:1], *items[-1:])):
        yield Cut(span, filling)


def _touches(node: Node, zones: Sequence[Span]) -> bool:
    return any(node.span.start <= zone.end and node.span.end >= zone.start for zone in zones)
