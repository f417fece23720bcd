"""The expert-parallel degree does not fit the ranks.

## What it does
Reports `expert_parallel.autoep_size` (times `expert_tensor_parallel_size`) that does not divide the ranks of
a pipeline stage, and an `expert_tensor_parallel_size` other than 1.

## Why is this bad
AutoEP lays expert groups over consecutive ranks and checks that they tile the stage before any group is made;
a tensor-parallel split inside an expert is reserved and refused.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}},
  "expert_parallel": {"enabled": true, "autoep_size": 3}
}
```
```toml shardlint.toml
[facts]
world_size = 8
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: expert_parallel.autoep_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}},
  "expert_parallel": {"enabled": true, "autoep_size": 4}
}
```
```toml shardlint.toml
[facts]
world_size = 8
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.files import deepspeed_file
from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.report import ERROR

SECTION, INNER = "expert_parallel", "expert_tensor_parallel_size"

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding


@rule(
    "SHD053",
    "expert-parallel-size",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("expert_parallel",),
)
def expert_parallel_size(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = deepspeed_file(plan, job)
    config = config_of(reading, job) if reading else None
    if config is None or not config.on(SECTION, "enabled"):
        return
    size, inner = (config.number(1, SECTION, name) for name in ("autoep_size", INNER))
    if inner is not None and inner > 1:
        what = f"{INNER} {inner:g}: only 1 is supported"
        yield from refuses(config, config.place(SECTION, INNER), what, "engine", since="0.19.3")
        return
    ranks, pipeline = plan.world.value, plan.pipeline.value or 1
    if not size or size < 1 or not ranks or not plan.world.certain or ranks % pipeline:
        return
    stage = ranks // pipeline
    whose = " of a pipeline stage" if pipeline > 1 else ""
    fitting = ", ".join(str(n) for n in range(1, stage + 1) if stage % n == 0)
    if stage % size:
        yield from refuses(
            config,
            config.place(SECTION, "autoep_size"),
            f"autoep_size {size:g} does not divide the {stage} ranks{whose}",
            "engine",
            since="0.19.2",
            help=f"{stage} ranks divide by {fitting}.",
            others=related(plan.world.place, f"{ranks} ranks are given here"),
        )
