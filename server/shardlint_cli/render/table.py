"""Columns of text: numbers to the right, words to the left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardlint_cli.terminal import columns

GAP = "  "


def table(rows: Sequence[Sequence[str]], right: Sequence[bool]) -> Iterator[str]:
    """Lines with the cells of each column as wide as its widest; `right` says which columns align right."""
    widths = [max(columns(row[at]) for row in rows) for at in range(len(right))]
    for row in rows:
        cells = [_padded(row[at], widths[at], right[at]) for at in range(len(right))]
        yield GAP.join(cells).rstrip()


def two_lines(heads: Sequence[str]) -> tuple[list[str], list[str]]:
    """Headings over two lines, broken at their last space: the second line is never empty."""
    parts = [head.rpartition(" ") for head in heads]
    return [before for before, _, _ in parts], [last for _, _, last in parts]


def _padded(cell: str, width: int, right: bool) -> str:
    padding = " " * (width - columns(cell))
    return padding + cell if right else cell + padding
