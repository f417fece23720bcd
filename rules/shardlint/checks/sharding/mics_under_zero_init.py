"""MiCS is asked for where the model is built by something else than MiCS.

## What it does
Reports `mics_shard_size` above 0 where accelerate or the Trainer reads the file, or the program builds the
model under `deepspeed.zero.Init` (`code.zero_init`).

## Why is this bad
MiCS parameters carry their own groups and are made only by `deepspeed.zero.MiCS_Init`. accelerate and the
Trainer build the model inside `zero.Init`, and the MiCS engine then fails on parameters without such
groups.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "mics_shard_size": 8}
}
```
```toml shardlint.toml
[facts]
consumer = "accelerate"
code.zero_init = true
versions.deepspeed = "0.19.6"
```
Fires at `ds_config.json: zero_optimization.mics_shard_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "zero_hpz_partition_size": 8}
}
```
```toml shardlint.toml
[facts]
consumer = "accelerate"
code.zero_init = true
versions.deepspeed = "0.19.6"
```

## References
- https://www.deepspeed.ai/tutorials/mics/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import deepspeed_file
from shardlint.checks.judging import HF_READERS, whole
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

REMOVED = "0.19.7"


@rule("SHD027", "mics-under-zero-init", severity=WARNING, since="0.1", about=("mics_shard_size",))
def mics_under_zero_init(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = deepspeed_file(plan, job)
    entry = reading.view.get("zero_optimization", "mics_shard_size") if reading is not None else None
    if reading is None or entry is None or plan.stage.value != 3 or (whole(entry) or 0) < 1:
        return
    built = job.settings.flag("code.zero_init").value is True
    read = job.consumer.certain and job.consumer.value in HF_READERS
    if not (built or read) or job.settings.versions("deepspeed").all_at_least(REMOVED):
        return
    who = f"{job.consumer.value} builds" if read else "the program builds"
    yield Finding(
        f"mics_shard_size {entry.value}: {who} the model under zero.Init, whose parameters have no MiCS "
        f"groups; the "
        "MiCS engine fails on them",
        at_value(reading, entry),
        WARNING,
        confidence="assumed",
        help="Leave mics_shard_size out (or -1) and use zero_hpz_partition_size, or build the model under "
        "deepspeed.zero.MiCS_Init.",
    )
