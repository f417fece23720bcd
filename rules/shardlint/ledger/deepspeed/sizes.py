"""What a size that DeepSpeed counts in elements means in bytes, by the same dtypes as the ledger."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shardlint.ledger.deepspeed import accumulator
from shardlint.ledger.deepspeed.buckets import bucket_unit, buckets_of
from shardlint.ledger.deepspeed.route import writer_for
from shardlint.ledger.deepspeed.setup import Setup, setup_of
from shardlint.ledger.elements import Elements, elements_of
from shardlint.ledger.optimizer import optimizer_of
from shardlint.plan import TrainingPlan

UNSTATED = "16-bit"
"""The dtype of weights whose precision nothing states."""


class Size(NamedTuple):
    """`unit` bytes for each element, of `dtype`, in `copies` buffers. `limit`: it is the most, not what is
    always held; and of no more than `there` elements, where that is known (else 0)."""

    unit: int
    dtype: str
    copies: int = 1
    limit: bool = False
    there: int = 0


def size_of_key(plan: TrainingPlan, name: str) -> Size | None:
    """How a key of zero_optimization takes memory on the GPU; None where the stage of the plan does not read
    it, or where it takes none."""
    stages, measure = SIZES.get(name, ((), _weights))
    if plan.stage.value not in stages:
        return None
    return measure(setup_of(plan, elements_of(plan, None) or Elements(0, ()), optimizer_of(plan)))


def _reduced(setup: Setup) -> Size | None:
    """Made for the backward pass of stages 1 and 2, kept all the time at stage 3. The optimizer that sums
    bf16 gradients in fp32 has none."""
    if not setup.contiguous or writer_for(setup) is accumulator.write:
        return None
    if setup.stage == 3:
        return Size(sum(setup.comm), " + ".join(_dtype(setup, unit) for unit in setup.comm))
    unit = bucket_unit(setup)
    return Size(unit, _dtype(setup, unit), buckets_of(setup))


def _weights(setup: Setup) -> Size | None:
    return Size(setup.weight, _dtype(setup, setup.weight))


def _at_most_weights(setup: Setup) -> Size | None:
    there = setup.elements.trainable + setup.elements.still
    return Size(setup.weight, _dtype(setup, setup.weight), limit=True, there=there)


def _stepped(setup: Setup) -> Size | None:
    """Gradients of a sub-group, flattened and cast to the dtype of the masters; on the host with offload."""
    if setup.offload:
        return None
    there = -(-setup.elements.trainable // setup.ranks) if setup.plan.shard.known else 0
    if setup.master == setup.accum:
        return Size(setup.accum, _dtype(setup, setup.accum), limit=True, there=there)
    both = f"{_dtype(setup, setup.accum)} + {_dtype(setup, setup.master)}"
    return Size(setup.accum + setup.master, both, limit=True, there=there)


def _dtype(setup: Setup, unit: int) -> str:
    if unit == 4:
        return "fp32"
    stated = setup.plan.precision.value
    return stated if stated in ("bf16", "fp16") else UNSTATED


SIZES: dict[str, tuple[tuple[int, ...], Callable[[Setup], Size | None]]] = {
    "reduce_bucket_size": ((1, 2, 3), _reduced),
    "allgather_bucket_size": ((1, 2), _weights),
    "sub_group_size": ((3,), _stepped),
    "stage3_prefetch_bucket_size": ((3,), _weights),
    "stage3_max_live_parameters": ((3,), _at_most_weights),
}
"""Key -> the stages that read it, and how it is measured."""
