"""`total_num_steps` of a schedule is 0.

## What it does
Reports a `scheduler.params.total_num_steps` of 0 in a DeepSpeed file.

## Why is this bad
The Trainer compares the value with the steps it works out and refuses a difference, and 0 is never right.
Under DeepSpeed alone the schedule is over at its first step and the learning rate falls to 0.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2},
  "scheduler": {
    "type": "WarmupDecayLR",
    "params": {"warmup_max_lr": "auto", "warmup_num_steps": "auto", "total_num_steps": 0}
  }
}
```
Fires at `ds_config.json: scheduler.params.total_num_steps`.

## Use instead
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

## References
- https://deepspeed.readthedocs.io/en/latest/schedulers.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import filled_by_trainer
from shardlint.checks.judging import refused, whole
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, replace_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "TRN002",
    "no-training-steps",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    supersedes=("value-out-of-range", "trainer-value-mismatch"),
    about=("total_num_steps",),
)
def no_training_steps(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("scheduler", "params", "total_num_steps")
    if reading.format.name != "deepspeed" or entry is None or whole(entry) != 0:
        return
    place, trainer = at_value(reading, entry), filled_by_trainer(job)
    yield refused(
        "total_num_steps 0 is never the number of training steps; the Trainer refuses to start"
        if trainer
        else "total_num_steps 0 ends the schedule at its first step; the learning rate falls to 0",
        place,
        "config",
        trainer and job.consumer.certain,
        help='Write "auto" for the Trainer, or the optimizer steps of the whole run.',
        fixes=(replace_value('Set total_num_steps to "auto"', place, '"auto"'),) if trainer else (),
        assumes=("no file or setting says who reads this file",),
    )
