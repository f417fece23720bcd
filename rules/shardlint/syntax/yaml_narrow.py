"""The lines of a faulty piece that its fault can depend on: entries read long before it are left out.

Mending reads a piece again and again; what is complete above the fault reads the same each time.
"""

from __future__ import annotations

from shardlint.syntax.tree import Mapping, Node, Pair, Sequence
from shardlint.syntax.yaml_places import Line, Places
from shardlint.syntax.yaml_tree import Tree

KEPT = 3
"""Entries right above the fault that stay, of each collection around it; the first one stays too."""
LEAST = 20
"""Lines that are left out at least, for it to be worth it."""


def narrowed(tree: Tree, places: Places) -> list[Line] | None:
    """The lines without those entries; None where next to nothing can be left out.

    `tree` is what was read of the lines in `places` up to the fault. An entry is left out with whole lines
    only, and where the one that takes its place is written behind the same dashes.
    """
    left: set[int] = set()
    node: Node | None = tree.roots[-1] if tree.roots else None
    while isinstance(node, Mapping | Sequence) and not node.flow:
        entries = node.pairs if isinstance(node, Mapping) else node.items
        if len(entries) > KEPT + 1:
            left.update(_between(entries[1], entries[-KEPT], places))
        last = entries[-1] if entries else None
        node = last.value if isinstance(last, Pair) else last
    if len(left) < LEAST:
        return None
    return [line for row, line in enumerate(places.lines) if row not in left]


def widened(lines: list[Line], mended: list[Line]) -> list[Line]:
    """All the lines, with those that were mended in their places."""
    edited = {line.start: line for line in mended}
    return [edited.get(line.start, line) for line in lines]


def _between(first: Pair | Node, last: Pair | Node, places: Places) -> range:
    """The rows from one entry to another, where the second can stand in the place of the first."""
    alike = _lead(first, places) == _lead(last, places)
    return range(places.row(first.span.start), places.row(last.span.start) if alike else 0)


def _lead(entry: Pair | Node, places: Places) -> str:
    """What stands before an entry on its line."""
    start = entry.span.start
    return places.text[places.row_start(start) : start]
