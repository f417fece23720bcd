"""FlatUnit: FSDP1 lays the parameters of a unit end to end and cuts the vector into equal shards.

Source: torch 2.13 `distributed/fsdp/_flat_param.py`. With use_orig_params every parameter starts at a
multiple of 16 bytes, counted in the dtype of the computation, and the tail is padded to the number of
ranks; otherwise only the shards are. Measured on 2, 3 and 4 ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shardlint.plan import Tensor


class FlatUnit(NamedTuple):
    """Elements: `full` of the gathered vector, `shard` of a rank; per rank, of the trainable parameters:
    `moving` elements and `held` tensors (with at least one element) in its shard."""

    full: int
    shard: int
    trains: bool
    moving: tuple[int, ...]
    held: tuple[int, ...]


def lay_out(unit: Sequence[Tensor], ranks: int, tail: int, alignment: int, originals: bool) -> FlatUnit:
    """`tail`: the size the vector is padded to a multiple of (the group, even where nothing is sharded)."""
    spans: list[tuple[int, int, bool]] = []
    end = 0
    for tensor in unit:
        start = -(-end // alignment) * alignment
        end = start + tensor.numel
        spans.append((start, end, tensor.trainable))
    full = -(-end // tail) * tail if originals else end
    shard = -(-full // ranks)
    trains = any(moves for _, _, moves in spans)
    if not originals:
        return FlatUnit(
            shard * ranks, shard, trains, (shard if trains else 0,) * ranks, (int(trains),) * ranks
        )
    pieces = [[_within(span, rank * shard, (rank + 1) * shard) for span in spans] for rank in range(ranks)]
    moving = tuple(sum(of_rank) for of_rank in pieces)
    held = tuple(sum(1 for piece in of_rank if piece) for of_rank in pieces)
    return FlatUnit(shard * ranks, shard, trains, moving, held)


def _within(span: tuple[int, int, bool], low: int, high: int) -> int:
    start, end, moves = span
    return max(0, min(end, high) - max(start, low)) if moves else 0
