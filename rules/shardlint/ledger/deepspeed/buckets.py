"""Reduce buckets of stages 1 and 2: made at each backward pass, two with overlap_comm, freed after it.

Stage 1 keeps them between micro steps. With fp32 accumulation at stage 1 the accumulators of parameters
outside the slice are views of the bucket, or of their own where they are larger than it: they keep it until
`step()`. Without contiguous gradients there is no bucket, and those inside the slice are kept too.
Source: DeepSpeed 0.19.8 `runtime/zero/stage_1_and_2.py:setup_buckets`, `reduce_ipg_grads`,
`reduce_independent_p_g_buckets_and_remove_grads`.
"""

from __future__ import annotations

from collections.abc import Sequence

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.flat import Flat
from shardlint.ledger.deepspeed.gradients import is_compact
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.slices import Slices
from shardlint.ledger.entry import ACCUMULATE, BACKWARD, BOUNDARY, FORWARD, STEP, UPDATE
from shardlint.ledger.knobs import switched
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import BUCKET


def add_buckets(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    if setup.contiguous:
        phases = (BACKWARD, ACCUMULATE, FORWARD) if _kept_between(setup) else (BACKWARD,)
        sheet.add(BUCKET, bucket_unit(setup) * buckets_of(setup), bucket_of(setup), phases)
    if _in_fp32(setup):
        _add_accumulators(sheet, setup, slices)


def bucket_unit(setup: Setup) -> int:
    """Bytes an element of one bucket."""
    return 4 if _in_fp32(setup) else setup.weight


def buckets_of(setup: Setup) -> int:
    """How many buckets of that size there are: one a dtype of the gradients, twice that with overlap_comm."""
    return len(setup.comm) * _buffers(setup)


def bucket_of(setup: Setup) -> Amount:
    """The elements of one bucket; the same on every rank."""
    count = setup.bucket
    if count is None:
        return Amount(" x reduce_bucket_size", None)
    return Amount(f" x {count:,} elements", count, 1, (count,))


def _in_fp32(setup: Setup) -> bool:
    return setup.stage == 1 and is_compact(setup)


def _buffers(setup: Setup) -> int:
    return 2 if switched(setup.plan, "overlap_comm") else 1


def _kept_between(setup: Setup) -> bool:
    return setup.stage == 1 and setup.accumulates


def _add_accumulators(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    """What the fp32 accumulators outside the slice keep alive. Without shapes: the bucket."""
    if not slices.groups:
        sheet.add(BUCKET, 4, bucket_of(setup), (BOUNDARY, STEP))
        return
    everything = _kept(setup, slices.groups)
    sheet.add(BUCKET, 4, everything, (BOUNDARY, STEP, UPDATE) if setup.offload else (BOUNDARY, STEP))
    if not setup.offload and len(slices.groups) > 1:
        sheet.add(BUCKET, 4, _kept(setup, slices.groups[1:]), (UPDATE,))


def _kept(setup: Setup, groups: Sequence[Flat]) -> Amount:
    ranks = tuple(_kept_on(setup, groups, rank) for rank in range(setup.ranks))
    return Amount(" kept by fp32 accumulators", max(ranks), 1, ranks)


def _kept_on(setup: Setup, groups: Sequence[Flat], rank: int) -> int:
    if not setup.contiguous:
        return sum(count for flat in groups for count, _, _ in flat.owners)
    limit = setup.bucket or 0
    apart = [count for flat in groups for count in flat.apart(rank)]
    filled = setup.elements.trainable > limit
    viewed = any(count <= limit for count in apart)
    buckets = limit * (_buffers(setup) if filled else 1) if viewed else 0
    return buckets + sum(count for count in apart if count > limit)
