"""Tensor parallelism is combined with ZeRO-3 in a release that does not take both.

## What it does
Reports `tensor_parallel.autotp_size` above 1 at ZeRO stage 3 for DeepSpeed releases before 0.19.4.

## Why is this bad
Those releases assert that AutoTP runs with stage 2 at most.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3},
  "tensor_parallel": {"autotp_size": 2},
  "bf16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.18.9"
```
Fires at `ds_config.json: zero_optimization.stage`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "tensor_parallel": {"autotp_size": 2},
  "bf16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.18.9"
```

## References
- https://www.deepspeed.ai/tutorials/autotp-training/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("SHD056", "autotp-with-stage-3", severity=ERROR, since="0.1", fails_at="engine", about=("autotp_size",))
def autotp_with_stage_3(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    degree = config.number(0, "tensor_parallel", "autotp_size") if config else None
    if config is None or degree is None or degree <= 1 or config.stage != 3:
        return
    if not job.settings.versions("deepspeed").some_at_least("0.16.4"):
        return
    yield from refuses(
        config,
        config.place("zero_optimization", "stage"),
        f"stage 3 with autotp_size {degree:g}: AutoTP takes ZeRO stages up to 2",
        "engine",
        until="0.19.4",
        others=config.related("tensor parallelism is asked for here", "tensor_parallel", "autotp_size"),
    )
