"""One faulty piece of YAML made readable by small edits: one line an edit, at its end or in its indentation.

A fault says where the parser noticed, not where the typist is: each round tries every edit on the few
lines that may be meant and keeps the one after which the next fault is farthest away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from shardlint.syntax.expression import expression
from shardlint.syntax.tree import Node
from shardlint.syntax.yaml_edits import Edit, edits, indent_of, left_out, neighbour
from shardlint.syntax.yaml_events import read_c
from shardlint.syntax.yaml_pieces import Kind
from shardlint.syntax.yaml_places import Line, Places
from shardlint.syntax.yaml_tree import Stop, Tree

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_ROUNDS = 8
MAX_LINE = 5_000
ATTEMPT_COST = 200  # setting a parser up costs about as much as reading so many characters

Read: TypeAlias = "Callable[[str, dict[str, Node]], Tree]"

_LINE = expression(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


class Budget:
    """How many more characters may be parsed to mend a text; counts, not seconds, so that results repeat."""

    __slots__ = ("c", "pure")

    def __init__(self, length: int) -> None:
        self.c = 500_000 + 2 * length
        self.pure = 40_000

    def spend(self, amount: int) -> bool:
        self.c -= amount
        return self.c >= 0

    def spend_pure(self, amount: int) -> bool:
        if amount > self.pure:
            return False
        self.pure -= amount
        return True


class Attempt(NamedTuple):
    """A piece as edited, what it reads as, and how far: clean, or the row and column of the fault."""

    places: Places
    tree: Tree
    score: tuple[int, int, int]

    @property
    def clean(self) -> bool:
        return self.score[0] == 1


class Repaired(NamedTuple):
    """`noticed` tells for each repaired row where the parser had stopped (an offset in the text)."""

    attempt: Attempt
    noticed: dict[int, int]

    @property
    def lines(self) -> list[Line]:
        return self.attempt.places.lines

    @property
    def is_doubtful(self) -> bool:
        """It may belong to the piece before: several edits, no first line, an indented line at the margin."""
        moved = any(line.repair == "bad-indent" and line.new_indent == 0 for line in self.lines)
        return moved or len(self.noticed) > 1 or self.lines[0].repair == "unreadable-line"


def split_lines(text: str, start: int, end: int) -> list[Line]:
    """The lines of a piece, as written."""
    lines: list[Line] = []
    while start < end:
        found = _LINE.match(text, start, end)
        if found is None or not found.group():
            break
        raw = found.group()
        indent = indent_of(raw)
        lines.append(Line(start, indent, len(raw.rstrip("\r\n")), raw, indent))
        start = found.end()
    return lines


def attempt(lines: list[Line], kind: Kind, anchors: dict[str, Node], read: Read = read_c) -> Attempt:
    """Read the lines; clean when nothing stopped the parser and the root is of that kind (None: any)."""
    places = Places(lines)
    tree = read(places.text, dict(anchors))
    return Attempt(places, tree, _score(tree, places, kind))


def repair(
    now: Attempt, kind: Kind, anchors: dict[str, Node], budget: Budget, rounds: int = MAX_ROUNDS
) -> Repaired | None:
    """Edit until the piece reads; None when no edit helps or the budget is spent."""
    noticed: dict[int, int] = {}
    for _ in range(rounds):
        if now.clean:
            break
        best, edit = _best(now, kind, anchors, budget)
        if best is None or edit is None:
            return None
        stop = now.tree.stop
        noticed.setdefault(edit.row, now.places.original(stop.at if stop else 0))
        now = best
    return Repaired(now, noticed) if now.clean else None


def without_line(lines: list[Line], row: int, kind: Kind, anchors: dict[str, Node]) -> Repaired | None:
    """The piece without one line, where that alone makes it readable."""
    tried = attempt([*lines[:row], left_out(lines[row]), *lines[row + 1 :]], kind, anchors)
    return Repaired(tried, {row: lines[row].start}) if tried.clean else None


def _best(
    now: Attempt, kind: Kind, anchors: dict[str, Node], budget: Budget
) -> tuple[Attempt | None, Edit | None]:
    best: Attempt | None = None
    chosen: Edit | None = None
    size = len(now.places.text)
    for edit in edits(now.places.lines, _suspects(now)):
        if not budget.spend(size + ATTEMPT_COST):
            return None, None
        lines = list(now.places.lines)
        lines[edit.row] = edit.line
        tried = attempt(lines, kind, anchors)
        if tried.score > (best.score if best else now.score):
            best, chosen = tried, edit
        if tried.clean:
            break
    return best, chosen


def _score(tree: Tree, places: Places, kind: Kind) -> tuple[int, int, int]:
    if tree.stop is not None:
        row = places.row(tree.stop.at)
        return (0, row, tree.stop.at - places.starts[row] if places.starts else 0)
    if _is_clean(tree, places, kind):
        return (1, 0, 0)
    return (0, 0, 0)


def _is_clean(tree: Tree, places: Places, kind: Kind) -> bool:
    if not tree.roots:
        return True
    root = tree.roots[0]
    if len(tree.roots) > 1:
        return False
    if kind is None:
        return True
    at_margin = places.row_start(root.span.start) == root.span.start
    return isinstance(root, kind) and at_margin and not root.flow


def _suspects(now: Attempt) -> list[int]:
    """The rows to edit, most likely first."""
    lines, places = now.places.lines, now.places
    stop = now.tree.stop or Stop(0, None, "")
    row = places.row(stop.at)
    rows = [row, neighbour(lines, row, -1)]
    if stop.opener is not None:
        rows.append(places.row(stop.opener))
    rows.append(places.row(now.tree.last))
    rows.append(neighbour(lines, rows[1], -1))
    rows.append(neighbour(lines, row, 1))
    known = (at for at in dict.fromkeys(rows) if 0 <= at < len(lines))
    return [at for at in known if lines[at].length <= MAX_LINE and lines[at].text.strip()]
