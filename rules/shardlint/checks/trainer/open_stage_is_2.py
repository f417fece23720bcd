"""`stage: "auto"` runs as ZeRO-2 under accelerate.

## What it does
Notes `zero_optimization.stage: "auto"` in a DeepSpeed file that accelerate or the Trainer reads.

## Why is this bad
accelerate fills it with the stage of the launcher, and without one with 2. A run meant for ZeRO-3 then
keeps all parameters on every rank.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": "auto"}
}
```
```toml shardlint.toml
[facts]
consumer = "accelerate"
```
Fires at `ds_config.json: zero_optimization.stage`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "accelerate"
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import HF_READERS
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("TRN023", "open-stage-is-2", severity=INFO, since="0.1", about=("auto",))
def open_stage_is_2(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("zero_optimization", "stage")
    if reading.format.name != "deepspeed" or entry is None or entry.value != "auto":
        return
    if job.consumer.value in HF_READERS:
        yield Finding(
            'stage "auto" is ZeRO-2 unless the launcher gives another stage',
            at_value(reading, entry),
            INFO,
            help="Write the stage.",
        )
