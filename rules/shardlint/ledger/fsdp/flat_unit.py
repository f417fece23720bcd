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
    spans: list[tuple[int, int]] = []
    end = 0
    for tensor in unit:
        start = -(-end // alignment) * alignment
        end = start + tensor.numel
        if tensor.trainable:
            spans.append((start, end))
    full = -(-end // tail) * tail if originals else end
    shard = -(-full // ranks)
    if originals:
        moving, held = _by_rank(spans, shard, ranks)
    else:
        moving, held = [shard if spans else 0] * ranks, [int(bool(spans))] * ranks
    return FlatUnit(shard * ranks, shard, bool(spans), tuple(moving), tuple(held))


def _by_rank(spans: list[tuple[int, int]], shard: int, ranks: int) -> tuple[list[int], list[int]]:
    """Elements and tensors of the spans in each shard."""
    moving, held = [0] * ranks, [0] * ranks
    for start, stop in spans:
        for rank in range(start // shard, (stop - 1) // shard + 1) if stop > start else ():
            moving[rank] += min(stop, (rank + 1) * shard) - max(start, rank * shard)
            held[rank] += 1
    return moving, held
