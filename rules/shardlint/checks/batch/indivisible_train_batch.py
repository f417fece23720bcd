"""The batch key DeepSpeed has to derive from the others comes out as zero or not whole.

## What it does
Where one or two of `train_batch_size`, `train_micro_batch_size_per_gpu` and `gradient_accumulation_steps` are
left out and DP is known, does DeepSpeed's integer division and reports a micro batch or accumulation of 0, or
a product that misses `train_batch_size`.

## Why is this bad
DeepSpeed divides without a remainder, multiplies back, and asserts that the product is the batch it was
given. The same file works on one machine and stops on another with a different number of GPUs.

## Example
```json ds_config.json
{
  "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 3}
}
```
```toml shardlint.toml
[facts]
world_size = 7
consumer = "deepspeed"
```
Fires at `ds_config.json: train_batch_size`.

## Use instead
```json ds_config.json
{
  "train_batch_size": 252,
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 3}
}
```
```toml shardlint.toml
[facts]
world_size = 7
consumer = "deepspeed"
```

## References
- https://www.deepspeed.ai/docs/config-json/#batch-related-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.batch.triangle import (
    DIVIDING,
    MICRO,
    STEPS,
    batch_place,
    divisor,
    doubts,
    is_elastic,
    refused_either_way,
    sources,
)
from shardlint.checks.files import deepspeed_file, open_names
from shardlint.checks.judging import absent, certain, read_by, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import replace_value
from shardlint.plan import Fact
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding


@rule("BAT002", "indivisible-train-batch", severity=ERROR, since="0.1", fails_at="config")
def indivisible_train_batch(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading, place = deepspeed_file(plan, job), batch_place(plan)
    degree = divisor(plan, job)
    batch, dp = plan.train_batch.value, degree.value
    if reading is None or place is None or batch is None or dp is None or open_names(job) & DIVIDING:
        return
    if is_elastic(job):
        return
    micro = None if absent(reading, MICRO) else plan.micro_batch.value
    steps = None if absent(reading, STEPS) else plan.accumulation.value
    if (not absent(reading, MICRO) and micro is None) or (not absent(reading, STEPS) and steps is None):
        return
    if micro is not None and steps is not None:
        return
    unit, words, derived = _known_part(micro, steps)
    quotient = batch // unit // dp
    if quotient * unit * dp == batch:
        return
    smaller, larger = quotient * unit * dp, (quotient + 1) * unit * dp
    outcome = (
        f"gives {derived} 0: {words}DP {dp} needs at least {larger}"
        if quotient == 0
        else f"is not divisible by {words}DP {dp} = {unit * dp}; {derived} {quotient} makes {smaller}"
    )
    yield refused(
        f"train_batch_size {batch} {outcome}; DeepSpeed refuses to start",
        place,
        "config",
        certain(plan.train_batch)
        and refused_either_way(plan, job, (plan.train_batch, Fact(micro), Fact(steps)))
        and not read_by(job, "custom"),
        help=f"DP {dp} comes from {degree.origin}. "
        f"{f'{smaller} or {larger} would do' if smaller else f'{larger} would do'}; with only the micro "
        "batch given, DeepSpeed derives the rest.",
        related=sources(place, plan.micro_batch, plan.accumulation, degree),
        assumes=doubts(plan, job),
        fixes=tuple(
            replace_value(f"Set train_batch_size to {size}", place, str(size))
            for size in (smaller, larger)
            if size
        ),
    )


def _known_part(micro: int | None, steps: int | None) -> tuple[int, str, str]:
    """(product of the given keys, its words, the key DeepSpeed derives)."""
    if micro is not None:
        return micro, f"micro_batch {micro} x ", "gradient accumulation"
    if steps is not None:
        return steps, f"accumulation {steps} x ", "micro batch"
    return 1, "", "micro batch"
