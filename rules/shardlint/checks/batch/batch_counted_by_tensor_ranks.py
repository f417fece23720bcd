"""The train batch counts every sample once per tensor-parallel rank.

## What it does
Reports `tensor_parallel.autotp_size` above 1 in a DeepSpeed file.

## Why is this bad
DeepSpeed checks and reports the batch against all ranks, although the ranks of one tensor group read the same
samples. The real batch of a step is smaller by that degree, and so should be what the learning rate is scaled
by.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "tensor_parallel": {"autotp_size": 2}
}
```
Fires at `ds_config.json: tensor_parallel.autotp_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "tensor_parallel": {"autotp_size": 1}
}
```

## References
- https://www.deepspeed.ai/tutorials/autotp-training/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of
from shardlint.checks.registry import rule
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("BAT011", "batch-counted-by-tensor-ranks", severity=INFO, since="0.1", about=("autotp_size",))
def batch_counted_by_tensor_ranks(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    degree = config.number(0, "tensor_parallel", "autotp_size") if config else None
    if config is None or degree is None or degree <= 1:
        return
    batch = config.number(0, "train_batch_size")
    real = f": {batch / degree:g} different samples a step instead of {batch:g}" if batch else ""
    yield Finding(
        f"train_batch_size counts each sample {degree:g} times, because the {degree:g} ranks of a tensor "
        f"group (autotp_size) read the same ones{real}",
        config.place("tensor_parallel", "autotp_size"),
        INFO,
        related=config.related("the batch is given here", "train_batch_size"),
    )
