"""Stages 1 and 2: each parameter group is one flat vector, cut into equal slices.

Source: DeepSpeed 0.19.8 `runtime/zero/stage_1_and_2.py:__init__` (padding to 2 x ranks elements, 16-byte
parameter alignment), `_round_robin_reorder`, `copy_grads_in_partition` (a parameter that touches a slice
is held whole). Measured to the byte on 2 and 4 ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from shardlint.plan import Tensor

SLICE_ALIGNMENT = 2
"""Elements: `nccl_start_alignment_factor`."""


class Flat(NamedTuple):
    """One group. Elements: `total` with padding, `own` of a slice; per rank: `touching`, the whole
    parameters with an element in the slice, `padding` inside the slice, `piece`, the largest part of one
    parameter in it, `pieces`, how many parts and paddings it is put together from. `owners`: of each
    parameter its elements and the first and last rank it touches."""

    total: int
    own: int
    touching: tuple[int, ...]
    padding: tuple[int, ...]
    piece: tuple[int, ...]
    pieces: tuple[int, ...]
    owners: tuple[tuple[int, int, int], ...]

    def apart(self, rank: int) -> list[int]:
        """Elements of each parameter that has no element in the slice of a rank."""
        return [count for count, first, last in self.owners if not first <= rank <= last]


def flatten(group: Sequence[Tensor], ranks: int, alignment: int, round_robin: bool) -> Flat:
    """`alignment` in elements at which every parameter starts (1: none)."""
    spans, end = _spans(_round_robin(group, ranks) if round_robin else group, alignment)
    unit = SLICE_ALIGNMENT * ranks
    own = -(-end // unit) * unit // ranks
    touching, covered, piece, pieces = [0] * ranks, [0] * ranks, [0] * ranks, [0] * ranks
    owners: list[tuple[int, int, int]] = []
    for start, stop in spans:
        first, last = start // own, (stop - 1) // own
        owners.append((stop - start, first, last))
        for rank in range(first, last + 1):
            part = min(stop, (rank + 1) * own) - max(start, rank * own)
            touching[rank] += stop - start
            covered[rank] += part
            piece[rank] = max(piece[rank], part)
            pieces[rank] += 1
    padding = tuple(own - n for n in covered)
    put_together = tuple(count + (gap > 0) for count, gap in zip(pieces, padding, strict=True))
    return Flat(own * ranks, own, tuple(touching), padding, tuple(piece), put_together, tuple(owners))


def start_alignment(weight: int, aligned: bool) -> int:
    """Elements of `weight` bytes to the next 16-byte boundary, where `parameter_alignment` is on."""
    return 16 // gcd(16, weight) if aligned else 1


def _round_robin(group: Sequence[Tensor], ranks: int) -> list[Tensor]:
    return [tensor for first in range(ranks) for tensor in group[first::ranks]]


def _spans(ordered: Sequence[Tensor], alignment: int) -> tuple[list[tuple[int, int]], int]:
    """(start, stop) of every parameter that has elements, and the end of the last one."""
    spans: list[tuple[int, int]] = []
    end = 0
    for tensor in ordered:
        start = -(-end // alignment) * alignment
        end = start + tensor.numel
        if tensor.numel:
            spans.append((start, end))
    return spans, end
