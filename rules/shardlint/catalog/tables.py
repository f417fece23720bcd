"""Read the tables of this package: tab-separated, `#` comments, one header line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent


def rows(name: str) -> Iterator[dict[str, str]]:
    """The rows of a table by column; an empty cell is an empty text."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    table = (line.split("\t") for line in lines if line and not line.startswith("#"))
    header = next(table)
    for cells in table:
        yield dict(zip(header, cells, strict=True))


def number(text: str) -> float | None:
    return float(text) if text else None


def whole(text: str) -> int | None:
    return int(text) if text else None
