"""A 1-bit optimizer is combined with ZeRO.

## What it does
Reports `OneBitAdam`, `ZeroOneAdam` and `OneBitLamb` in a DeepSpeed file with a ZeRO stage above 0.

## Why is this bad
These optimizers compress the gradient exchange themselves and need whole gradients on every rank. DeepSpeed
refuses them with ZeRO, and from 0.19.7 on does not have them at all.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "fp16": {"enabled": true},
  "optimizer": {"type": "OneBitAdam", "params": {"lr": 1e-4, "freeze_step": 100}},
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
versions.deepspeed = "0.19.6"
```
Fires at `ds_config.json: optimizer.type`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "fp16": {"enabled": true},
  "optimizer": {"type": "OneBitAdam", "params": {"lr": 1e-4, "freeze_step": 100}},
  "zero_optimization": {"stage": 0}
}
```
```toml shardlint.toml
[facts]
versions.deepspeed = "0.19.6"
```

## References
- https://www.deepspeed.ai/tutorials/onebit-adam/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.optimizer.stated import left_to_deepspeed, stated
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding

ONE_BIT = ("onebitadam", "zerooneadam", "onebitlamb")


@rule(
    "OPT003",
    "one-bit-optimizer-with-zero",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    supersedes=("value-not-allowed", "removed-key"),
    about=("onebit", "zeroone"),
)
def one_bit_optimizer_with_zero(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    stage = plan.stage
    for found in stated(job):
        if found.name.lower() not in ONE_BIT or not stage.value:
            continue
        yield refused(
            f"{found.name} compresses gradients itself and excludes ZeRO, here stage {stage.value}; "
            f"DeepSpeed fails "
            "when the engine is built (from 0.19.7 on it has no such optimizer)",
            at_value(found.reading, found.entry),
            "engine",
            stage.certain and left_to_deepspeed(job),
            help="Use stage 0 with it on DeepSpeed before 0.19.7, or AdamW with ZeRO. "
            "Where the program brings its own optimizer, set code.optimizer.",
            related=related(stage.place, f"stage {stage.value} is given here"),
            assumes=("the program leaves the optimizer to DeepSpeed",),
        )
