"""A faulty text without the entries that are complete long before the fault, and the way back.

Mending reads a text again and again; what stood above the fault reads the same each time, so it is taken
from the first time, and trusted: no repair touched it.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple, cast

from shardlint.syntax.document import Fault, Mark
from shardlint.syntax.tree import Mapping, Node, Pair, Sequence, Span
from shardlint.syntax.yaml_marks import line_start
from shardlint.syntax.yaml_pieces import Child, holds_anchor, members
from shardlint.syntax.yaml_places import Mover
from shardlint.syntax.yaml_tree import Tree

KEPT = 3
"""Entries right above the fault that stay, of each collection around it; the first one stays too."""
LEAST = 500
"""Characters that are left out at least, for it to be worth it."""


class Gap(NamedTuple):
    """Whole lines that are left out, the entries on them, and the entries right before and after them."""

    lines: Span
    before: Child
    entries: list[Child]
    after: Child


class Narrowed:
    """What is left of a text, and how that lies in it."""

    def __init__(self, text: str, gaps: list[Gap]) -> None:
        self._gaps = gaps
        self._mover = Mover(text, self.original, [])
        self._starts, self._shifts, kept, at, lost = [0], [0], list[str](), 0, 0
        for (start, end), *_ in gaps:
            kept.append(text[at:start])
            lost += end - start
            self._starts.append(end - lost)
            self._shifts.append(lost)
            at = end
        self.text = "".join((*kept, text[at:]))

    def original(self, offset: int) -> int:
        """The offset in the whole text of one in what is left."""
        return offset + self._shifts[bisect_right(self._starts, offset) - 1]

    def spans(self, spans: list[Span], first: Tree) -> list[Span]:
        """Spans of what is left, and those of the first reading in what is not."""
        return [*map(self._mover.span, spans), *(span for span in first.opaque if self._is_lost(span))]

    def marks(self, marks: list[Mark], first: Tree) -> list[Mark]:
        return [*map(self._mover.mark, marks), *(mark for mark in first.marks if self._is_lost(mark.span))]

    def faults(self, faults: list[Fault]) -> list[Fault]:
        move = self._mover.span
        return [
            fault._replace(span=move(fault.span), related=fault.related and move(fault.related))
            for fault in faults
        ]

    def whole(self, roots: list[Node]) -> bool:
        """Move what was read of the rest to where it stands, and put the entries that were left out back;
        whether there is a place for all of them."""
        for root in roots:
            self._mover.child(root)
        return all(any(_filled(root, gap) for root in roots) for gap in self._gaps)

    def _is_lost(self, span: Span) -> bool:
        return any(gap.lines.start <= span.start < gap.lines.end for gap in self._gaps)


def narrowed(first: Tree, text: str) -> Narrowed | None:
    """What is left of a text of which `first` was read; None where next to nothing can be left out."""
    gaps: list[Gap] = []
    node: Node | None = first.roots[-1] if first.roots else None
    while isinstance(node, Mapping | Sequence) and not node.flow:
        entries = members(node)
        gap = _gap(entries, text, isinstance(node, Sequence)) if len(entries) > KEPT + 1 else None
        if gap is not None:
            gaps.append(gap)
        last = entries[-1] if entries else None
        node = last.value if isinstance(last, Pair) else last
    lost = sum(gap.lines.end - gap.lines.start for gap in gaps)
    return Narrowed(text, gaps) if lost >= LEAST else None


def _gap(entries: list[Child], text: str, dashed: bool) -> Gap | None:
    """The lines between the first and the last entries; None where the last ones cannot follow the first:
    they begin unlike one another, a line above them, or something refers to what is between."""
    lines = Span(line_start(text, entries[1].span.start), line_start(text, entries[-KEPT].span.start))
    lead = text[lines.start : entries[1].span.start]
    alike = lead == text[lines.end : entries[-KEPT].span.start] and ("-" in lead) == dashed
    if not alike or holds_anchor(text[lines.start : lines.end]) or lines.end <= lines.start:
        return None
    return Gap(lines, entries[0], entries[1:-KEPT], entries[-KEPT])


def _filled(root: Node, gap: Gap) -> bool:
    """Put the entries back between their neighbours; False where these do not stand side by side."""
    node: Node | None = root
    start, after = gap.before.span.start, gap.after.span.start
    while isinstance(node, Mapping | Sequence):
        entries = members(node)
        starts = [entry.span.start for entry in entries]
        at = bisect_right(starts, start) - 1
        if at < 0:
            return False
        if starts[at] == start and starts[at + 1 : at + 2] == [after]:
            _insert(node, at + 1, gap.entries)
            return True
        inner = entries[at]
        node = inner.value if isinstance(inner, Pair) else inner
    return False


def _insert(node: Mapping | Sequence, at: int, entries: list[Child]) -> None:
    if isinstance(node, Mapping):
        node.pairs[at:at] = cast("list[Pair]", entries)
    else:
        node.items[at:at] = cast("list[Node]", entries)
