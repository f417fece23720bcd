"""The DeepSpeed file and the training arguments name different learning-rate schedules.

## What it does
Compares `scheduler.type` of a DeepSpeed file with `lr_scheduler_type` of the training arguments.

## Why is this bad
Where the DeepSpeed file has a `scheduler`, the Trainer leaves the schedule to it and does not look at
`lr_scheduler_type`: the run decays in another way than the arguments say, without a message.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
learning_rate: 5.0e-5
lr_scheduler_type: cosine
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2},
  "scheduler": {
    "type": "WarmupDecayLR",
    "params": {"warmup_max_lr": "auto", "warmup_num_steps": "auto", "total_num_steps": "auto"}
  }
}
```
Fires at `ds_config.json: scheduler.type`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
learning_rate: 5.0e-5
lr_scheduler_type: cosine
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2}
}
```

## References
- https://huggingface.co/docs/transformers/deepspeed#optimizer-and-scheduler
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import argument, deepspeed_file, filled_by_trainer
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

SAME = {
    "WarmupDecayLR": ("linear",),
    "WarmupLR": ("constant_with_warmup", "constant"),
    "WarmupCosineLR": ("cosine", "cosine_with_min_lr"),
}
"""The schedules of the Trainer that one of DeepSpeed stands for."""


@rule("OPT006", "scheduler-in-two-places", severity=WARNING, since="0.1", about=("lr_scheduler_type",))
def scheduler_in_two_places(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading, asked = deepspeed_file(plan, job), argument(job, "lr_scheduler_type")
    entry = reading.view.get("scheduler", "type") if reading is not None else None
    if reading is None or entry is None or not isinstance(asked.value, str) or not filled_by_trainer(job):
        return
    kind, wanted = entry.value, asked.value.strip().lower()
    if not isinstance(kind, str) or kind == "auto" or wanted in SAME.get(kind, ()):
        return
    yield Finding(
        f"scheduler {kind} here decides, and lr_scheduler_type {asked.value} ({asked.origin}) is not used",
        at_value(reading, entry),
        WARNING,
        confidence="certain" if job.consumer.certain else "assumed",
        help="Remove the scheduler block and the Trainer builds its own schedule, or make the two agree.",
        related=related(asked.place, f"lr_scheduler_type is {asked.value} here"),
    )
