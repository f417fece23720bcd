"""The micro batch is "auto", but the data loader has no batch size.

## What it does
Reports `train_micro_batch_size_per_gpu: "auto"` under accelerate where the data loader has a batch sampler
of its own (`dataloader.batch_sampler = true`).

## Why is this bad
accelerate fills the micro batch from `batch_size` of the loader given to `prepare()`. A loader with a
`batch_sampler` has None there, and accelerate raises.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "accelerate"
dataloader.batch_sampler = true
```
Fires at `ds_config.json: train_micro_batch_size_per_gpu`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "accelerate"
dataloader.batch_sampler = true
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

MICRO = "train_micro_batch_size_per_gpu"


@rule(
    "TRN005",
    "auto-batch-without-batch-size",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("dataloader.batch_sampler",),
)
def auto_batch_without_batch_size(reading: Reading, job: Job) -> Iterator[Finding]:
    entry, sampler = reading.view.get(MICRO), job.settings.flag("dataloader.batch_sampler")
    if reading.format.name != "deepspeed" or entry is None or entry.value != "auto" or not sampler.value:
        return
    if job.consumer.value != "accelerate":
        return
    yield refused(
        f'{MICRO} is "auto" and filled from the data loader\'s batch_size, which is None with a '
        f"batch_sampler "
        f"({sampler.origin}); accelerate fails in prepare()",
        at_value(reading, entry),
        "engine",
        job.consumer.certain and sampler.certain,
        help="Write the micro batch as a number.",
        related=related(sampler.place, "the batch sampler is stated here"),
        assumes=(job.consumer.origin,),
    )
