"""A faulty YAML text read piece by piece: documents, then the lines under each key of column 0.

What came before the fault stays as it was read, only the faulty piece is repaired, and what follows is
read as if nothing had happened.
"""

from __future__ import annotations

from typing import NamedTuple

from shardlint.syntax.document import Fault, Mark
from shardlint.syntax.json_parser import parse_json
from shardlint.syntax.tree import Mapping, Node, Pair, Sequence, Span
from shardlint.syntax.yaml_events import read_c, read_pure
from shardlint.syntax.yaml_faults import FLOW_FAULTS, flow_fault, limit_fault, repaired_fault, unmended_fault
from shardlint.syntax.yaml_lines import LineScan
from shardlint.syntax.yaml_pieces import (
    Child,
    Kind,
    brace_of,
    cut,
    first_content,
    first_doubtful,
    members,
    sections,
)
from shardlint.syntax.yaml_places import Line, Mover
from shardlint.syntax.yaml_repair import (
    MAX_ROUNDS,
    Attempt,
    Budget,
    Repaired,
    attempt,
    repair,
    split_lines,
    without_line,
)
from shardlint.syntax.yaml_tree import Stop, Tree

MAX_PIECES = 25
SECTION_COST = 2_000


class _Piece(NamedTuple):
    """A faulty piece, the piece before it (which an indented line may belong to) and how it was read."""

    lines: list[Line]
    before: list[Line]
    tried: Attempt

    @property
    def end(self) -> int:
        return self.lines[-1].start + self.lines[-1].length


class Recovery:
    """Roots, marks, faults and opaque spans of a text the parser refused. `parsed` may hide placeholders;
    `first` is what was read of it.

    `second_opinion` tells that the pure parser read a piece which the C parser had refused.
    """

    def __init__(self, text: str, parsed: str, first: Tree | None = None) -> None:
        self.roots: list[Node] = []
        self.marks: list[Mark] = []
        self.faults: list[Fault] = []
        self.opaque: list[Span] = []
        self.second_opinion = False
        self._text = text
        self._parsed = parsed
        self._first = first
        self._budget = Budget(len(text))
        self._anchors: dict[str, Node] = {}

    def run(self) -> None:
        for number, (start, end) in enumerate(sections(self._parsed)):
            if number:
                self.marks.append(Mark("multi-document", Span(start, start)))
            self._anchors = {}
            self._section(start, end)

    def _section(self, start: int, end: int) -> None:
        if not self._budget.spend(end - start + SECTION_COST):
            self._finish(None, self._scan(None, start, end))
            return
        whole = self._first if (start, end) == (0, len(self._parsed)) else None
        tree = whole or read_c(self._parsed[start:end], self._anchors)
        if tree.stop is not None and not tree.stop.too_deep:
            braces = brace_of(self._parsed, start, end)
            if braces is not None:
                self._flow_root(start, braces, end, tree.stop)
            else:
                self._pieces(start, end, tree)
            return
        mover = self._shift(start)
        for root in tree.roots:
            mover.child(root)
        self._take(tree, mover, end)
        self.roots.extend(tree.roots)
        if tree.stop is not None:
            self.faults.append(limit_fault(self._text, start + tree.stop.at, tree.stop))

    def _flow_root(self, start: int, braces: int, end: int, stop: Stop) -> None:
        """A text that is one pair of braces is JSON but for its comments: the JSON scanner reads it."""
        judged = self._budget.spend_pure(end - start)
        second = read_pure(self._parsed[start:end]) if judged else None
        if second is not None and second.stop is None:
            self.second_opinion = True
            self._take(second, self._shift(start), end)
            for root in second.roots:
                self._shift(start).child(root)
            self.roots.extend(second.roots)
            return
        stray = first_content(self._parsed, start, braces)
        document = parse_json("", " " * braces + self._text[braces:end])
        self.roots.extend(document.roots)
        found = [*document.faults, *(flow_fault(mark) for mark in document.marks if mark.kind in FLOW_FAULTS)]
        at = stray if stray is not None else start + stop.at
        if stray is not None or not found:
            found.append(unmended_fault(self._text, at, stop, judged))
        self.faults.extend(fault._replace(limit=fault.limit or not judged) for fault in found)

    def _pieces(self, start: int, end: int, tree: Tree) -> None:
        kind, cuts = cut(self._parsed, start, end)
        last = len(cuts) - 1
        children: list[Child] = []
        at = 0
        for _ in range(MAX_PIECES):
            stop = tree.stop
            if stop is None:
                children.extend(self._keep(kind, tree, cuts[at], end))
                at = last
                break
            bad = first_doubtful(_children(kind, tree), cuts, at, stop)
            if bad > at:
                children.extend(self._keep(kind, tree, cuts[at], cuts[bad]))
            at = self._mend(kind, cuts, bad, cuts[at] + stop.at, children)
            if at >= last or not self._budget.spend(end - cuts[at]):
                break
            tree = read_c(self._parsed[cuts[at] : end], self._anchors)
        if at < last:
            children.extend(self._scan(kind, cuts[at], end))
        self._finish(kind, children)

    def _mend(self, kind: Kind, cuts: list[int], first: int, noticed: int, children: list[Child]) -> int:
        """Read pieces one by one until the faulty one is found and repaired; the number of the next piece."""
        for piece in range(first, len(cuts) - 1):
            lines = split_lines(self._parsed, cuts[piece], cuts[piece + 1])
            tried = attempt(lines, kind, self._anchors)
            if not tried.clean:
                before = split_lines(self._parsed, cuts[piece - 1], cuts[piece]) if piece else []
                self._repair(kind, _Piece(lines, before, tried), children)
                return piece + 1
            children.extend(self._keep_attempt(kind, tried))
            if cuts[piece] > noticed:
                return piece + 1
        return len(cuts) - 1

    def _repair(self, kind: Kind, piece: _Piece, children: list[Child]) -> None:
        """Add what the piece holds to the children, by the second parser, by edits, or line by line."""
        judged = self._budget.spend_pure(len(piece.tried.places.text))
        if judged:
            second = attempt(piece.lines, kind, self._anchors, read_pure)
            if second.clean:
                self.second_opinion = True
                children.extend(self._keep_attempt(kind, second))
                return
        mended, joined = self._mended(kind, piece, bool(children))
        if joined:
            start = piece.before[0].start
            children[:] = [child for child in children if child.span.start < start]
            self._forget(start)
        self.faults.extend(self._faults(piece, mended, judged))
        kept = self._keep_attempt(kind, mended.attempt) if mended else []
        children.extend(kept or self._scan(kind, piece.lines[0].start, piece.end))

    def _faults(self, piece: _Piece, mended: Repaired | None, judged: bool) -> list[Fault]:
        if mended is None:
            stop = piece.tried.tree.stop or Stop(0, None, "expected a key and a value")
            return [unmended_fault(self._text, piece.tried.places.original(stop.at), stop, judged)]
        rows = sorted(mended.noticed.items())
        return [repaired_fault(self._text, mended.lines[row], noticed, judged) for row, noticed in rows]

    def _mended(self, kind: Kind, piece: _Piece, has_before: bool) -> tuple[Repaired | None, bool]:
        """The piece repaired, and whether the piece before it is part of that.

        A line typed at the margin in the middle of a block cuts the block in two: reading on without it
        beats several edits of the half below.
        """
        anchors, budget = self._anchors, self._budget
        if not piece.before or not has_before:
            return repair(piece.tried, kind, anchors, budget), False
        both = [*piece.before, *piece.lines]
        inserted = without_line(both, len(piece.before), kind, anchors)
        alone = repair(piece.tried, kind, anchors, budget, 1 if inserted else MAX_ROUNDS)
        if alone is not None and not alone.is_doubtful:
            return alone, False
        joined = inserted or repair(attempt(both, kind, anchors), kind, anchors, budget)
        if joined is not None and (alone is None or len(joined.noticed) <= len(alone.noticed)):
            return joined, True
        return alone, False

    def _keep(self, kind: Kind, tree: Tree, start: int, end: int) -> list[Child]:
        """The children of the root that end before `end`, moved to their place in the text."""
        mover = self._shift(start)
        kept = [child for child in _children(kind, tree) if start + child.span.start < end]
        for child in kept:
            mover.child(child)
        self._anchors = tree.anchors
        self._take(tree, mover, end)
        return kept

    def _keep_attempt(self, kind: Kind, tried: Attempt) -> list[Child]:
        places = tried.places
        mover = Mover(self._text, places.original, places.shaky())
        kept = _children(kind, tried.tree)
        for child in kept:
            mover.child(child)
        self._anchors = tried.tree.anchors
        self._take(tried.tree, mover, len(self._text))
        return kept

    def _scan(self, kind: Kind, start: int, end: int) -> list[Child]:
        root = LineScan(self._text, start, end).root
        if kind is None or root is None:
            return [] if root is None else [root]
        return members(root) if isinstance(root, kind) else []

    def _finish(self, kind: Kind, children: list[Child]) -> None:
        if not children:
            return
        span = Span(children[0].span.start, max(child.span.end for child in children))
        if kind is Mapping:
            self.roots.append(Mapping(span, [one for one in children if isinstance(one, Pair)], flow=False))
        elif kind is Sequence:
            items = [one for one in children if not isinstance(one, Pair)]
            self.roots.append(Sequence(span, items, flow=False))
        else:
            self.roots.extend(one for one in children[:1] if not isinstance(one, Pair))

    def _shift(self, base: int) -> Mover:
        return Mover(self._text, lambda offset: offset + base, [])

    def _forget(self, start: int) -> None:
        """No piece was read from there on."""
        self.faults = [fault for fault in self.faults if fault.span.start < start]
        self.marks = [mark for mark in self.marks if mark.span.start < start or mark.kind == "multi-document"]
        self.opaque = [span for span in self.opaque if span.start < start]

    def _take(self, tree: Tree, mover: Mover, end: int) -> None:
        """Marks and opaque spans before `end`. An anchor met twice may only have been read twice."""
        spans = (mover.span(span) for span in tree.opaque)
        self.opaque.extend(span for span in spans if span.end <= end)
        marks = (mover.mark(mark) for mark in tree.marks if mark.kind != "duplicate-anchor")
        self.marks.extend(mark for mark in marks if mark.span.end <= end)


def _children(kind: Kind, tree: Tree) -> list[Child]:
    root = tree.roots[0] if tree.roots else None
    if root is None or kind is None:
        return [] if root is None else [root]
    return members(root) if isinstance(root, kind) else []
