"""A batch key is zero or negative.

## What it does
Reports `train_batch_size`, `train_micro_batch_size_per_gpu` and `gradient_accumulation_steps` at 0 or below.

## Why is this bad
DeepSpeed asserts that each of the three is greater than zero while it reads the config.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 0,
  "zero_optimization": {"stage": 1}
}
```
Fires at `ds_config.json: train_micro_batch_size_per_gpu`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 1}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#batch-related-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.batch.triangle import MICRO, STEPS, TRAIN
from shardlint.checks.judging import read_by, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "BAT004",
    "non-positive-batch",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    supersedes=("value-out-of-range",),
)
def non_positive_batch(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name != "deepspeed":
        return
    for name in (TRAIN, MICRO, STEPS):
        entry = reading.view.get(name)
        value = entry.value if entry else None
        if entry is None or isinstance(value, bool) or not isinstance(value, int | float) or value > 0:
            continue
        yield refused(
            f"{name} is {value}; DeepSpeed wants it greater than 0 and refuses to start",
            at_value(reading, entry),
            "config",
            not read_by(job, "custom"),
            help="Leave the key out and DeepSpeed derives it from the other batch keys.",
        )
