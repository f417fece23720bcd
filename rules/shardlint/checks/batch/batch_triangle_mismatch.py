"""The three batch keys do not multiply to each other over the data-parallel degree.

## What it does
Compares `train_batch_size` with `train_micro_batch_size_per_gpu` x `gradient_accumulation_steps` x DP, where
all three keys are known. Without a known DP it still reports a batch that no whole DP degree can make.

## Why is this bad
DeepSpeed asserts the product while it reads the config and stops before the model is built. DP is the number
of ranks, divided by the sequence-parallel and pipeline degrees; tensor parallelism by `autotp_size` does not
divide it.

## Example
```json ds_config.json
{
  "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 8,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
world_size = 16
```
Fires at `ds_config.json: train_batch_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 8,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
world_size = 16
```

## References
- https://www.deepspeed.ai/docs/config-json/#batch-related-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.batch.triangle import (
    DIVIDING,
    batch_place,
    divisor,
    doubts,
    is_elastic,
    refused_either_way,
    sources,
)
from shardlint.checks.files import open_names
from shardlint.checks.judging import certain, read_by, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import replace_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding


@rule("BAT001", "batch-triangle-mismatch", severity=ERROR, since="0.1", fails_at="config")
def batch_triangle_mismatch(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    batch, micro, steps = plan.train_batch, plan.micro_batch, plan.accumulation
    place = batch_place(plan)
    if place is None or not (batch.value and micro.value and steps.value) or open_names(job) & DIVIDING:
        return
    if is_elastic(job):
        return
    given = f"train_batch_size {batch.value} is not micro_batch {micro.value} x accumulation {steps.value}"
    each = micro.value * steps.value
    degree = divisor(plan, job)
    dp = degree.value
    sure = certain(batch, micro, steps) and not read_by(job, "custom")
    if batch.value % each and (dp is None or each * dp != batch.value) and plan.sequence.get(1) == 1:
        product = f"DP {dp} = {each * dp}" if dp else "any whole DP"
        yield refused(
            f"{given} x {product}; DeepSpeed refuses to start",
            place,
            "config",
            sure,
            help="Leave train_batch_size out: DeepSpeed derives it from the other two and the ranks.",
            related=sources(place, micro, steps, degree),
        )
    elif dp is not None and each * dp != batch.value:
        yield refused(
            f"{given} x DP {dp} = {each * dp}; DeepSpeed refuses to start",
            place,
            "config",
            sure and refused_either_way(plan, job, (batch, micro, steps)),
            help=f"The three keys fit DP {batch.value // each}; DP is {dp} by {degree.origin}. "
            "Without train_batch_size DeepSpeed derives it.",
            related=sources(place, micro, steps, degree),
            assumes=doubts(plan, job),
            fixes=(replace_value(f"Set train_batch_size to {each * dp}", place, str(each * dp)),),
        )
