"""Amount: a count of elements a rank holds, unpadded from counts and padded from shapes."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple


class Amount(NamedTuple):
    """`elements` / `split` elements on every rank, unpadded; `ranks` what each rank really holds.

    `symbol` is how people write it (`P/N`). `elements` is None when only shapes could tell; `ranks` is
    empty when shapes are unknown, and has one number when every rank holds the same.
    """

    symbol: str
    elements: int | None
    split: int = 1
    ranks: tuple[int, ...] = ()

    def size(self, unit: float) -> int | None:
        """Unpadded bytes a rank, rounded up to a whole byte."""
        return None if self.elements is None else whole(unit, self.elements, self.split)

    def sizes(self, unit: float) -> tuple[int, ...]:
        """Bytes on each rank, padding included."""
        return tuple(whole(unit, n, 1) for n in self.ranks)


def whole(unit: float, elements: int, split: int) -> int:
    """ceil(unit x elements / split), in integers where the unit is one."""
    if float(unit).is_integer():
        return -(-int(unit) * elements // split)
    return ceil(unit * elements / split)
