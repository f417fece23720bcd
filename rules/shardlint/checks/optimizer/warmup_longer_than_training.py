"""The warm-up has more steps than the training.

## What it does
Reports `warmup_num_steps` above `total_num_steps` in a schedule of type `WarmupDecayLR` or `WarmupCosineLR`.

## Why is this bad
The rate is still climbing when the schedule ends, so it never reaches its maximum and never decays. DeepSpeed
only logs it.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "scheduler": {"type": "WarmupDecayLR", "params": {"warmup_num_steps": 1000, "total_num_steps": 100}}
}
```
Fires at `ds_config.json: scheduler.params.warmup_num_steps`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "scheduler": {"type": "WarmupDecayLR", "params": {"warmup_num_steps": 10, "total_num_steps": 100}}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#scheduler-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of
from shardlint.checks.registry import rule
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading

PARAMS = ("scheduler", "params")


@rule("OPT023", "warmup-longer-than-training", severity=WARNING, since="0.1", about=("warmup",))
def warmup_longer_than_training(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or config.word("", "scheduler", "type") not in ("WarmupDecayLR", "WarmupCosineLR"):
        return
    warmup = config.number(1000, *PARAMS, "warmup_num_steps")
    total = config.number(0, *PARAMS, "total_num_steps")
    if not warmup or not total or warmup <= total:
        return
    default = "" if config.get(*PARAMS, "warmup_num_steps") else ", the default,"
    yield Finding(
        f"warmup_num_steps {warmup:g}{default} exceeds total_num_steps {total:g}; the rate never reaches "
        "its maximum",
        config.place(*PARAMS, "warmup_num_steps"),
        WARNING,
        related=config.related("the steps are given here", *PARAMS, "total_num_steps"),
    )
