"""Two models are sharded with hpZ in one process.

## What it does
Reports `zero_hpz_partition_size` above 1 where the program starts a second ZeRO-3 engine
(`code.second_engine`), as a reference or reward model needs.

## Why is this bad
DeepSpeed keeps one secondary group a process. The second engine finds it made and stops with "intra parallel
group is already initialized".

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "zero_optimization": {"stage": 3, "zero_hpz_partition_size": 8}
}
```
```toml shardlint.toml
[facts]
world_size = 16
code.second_engine = true
```
Fires at `ds_config.json: zero_optimization.zero_hpz_partition_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "zero_optimization": {"stage": 3, "zero_hpz_partition_size": 1}
}
```
```toml shardlint.toml
[facts]
world_size = 16
code.second_engine = true
```

## References
- https://www.deepspeed.ai/tutorials/zeropp/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import deepspeed_file
from shardlint.checks.judging import whole
from shardlint.checks.registry import rule
from shardlint.checks.sharding.hpz_does_not_divide import HPZ
from shardlint.checks.support import at_value, related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan


@rule("SHD026", "hpz-with-second-engine", severity=WARNING, since="0.1", about=("zero_hpz_partition_size",))
def hpz_with_second_engine(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = deepspeed_file(plan, job)
    entry = reading.view.get(*HPZ) if reading is not None else None
    second = job.settings.flag("code.second_engine")
    if reading is None or entry is None or plan.stage.value != 3 or second.value is not True:
        return
    if (whole(entry) or 0) > 1:
        yield Finding(
            f"zero_hpz_partition_size {entry.value} and a second engine ({second.origin}): the group of "
            f"hpZ is made "
            "once in a process, and the second model fails on it",
            at_value(reading, entry),
            WARNING,
            confidence="assumed",
            help="Set it to 1, or shard only one model in a process.",
            related=related(second.place, "the second engine is stated here"),
        )
