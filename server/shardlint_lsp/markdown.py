"""Pieces of Markdown, with what users wrote kept from being read as markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~])")


def literal(text: str) -> str:
    """Text as it stands, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def rows(heads: Sequence[str], lines: Iterable[Sequence[str]], right: int = 0) -> Iterator[str]:
    """The lines of a table; the first `right` columns are numbers. Cells are taken literally."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'|'.join('---:' if at < right else ':---' for at in range(len(heads)))}|"
    for line in lines:
        yield f"| {' | '.join(literal(cell) for cell in line)} |"
