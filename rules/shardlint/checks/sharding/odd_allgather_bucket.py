"""The all-gather bucket holds an odd number of elements.

## What it does
Reports an odd `allgather_bucket_size` at ZeRO stage 1 or 2.

## Why is this bad
Both stages align what they gather to 4 bytes, which is two 16-bit elements, and assert that the bucket is a
multiple of 2.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2, "allgather_bucket_size": 200000001},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: zero_optimization.allgather_bucket_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2, "allgather_bucket_size": 200000000},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#zero-optimizations-for-fp16-training
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.checks.support import replace_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "SHD045",
    "odd-allgather-bucket",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("allgather_bucket_size",),
)
def odd_allgather_bucket(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or config.stage not in (1, 2):
        return
    size = config.number(0, ZERO, "allgather_bucket_size")
    if size is None or size < 0 or size % 2 != 1:
        return
    place = config.place(ZERO, "allgather_bucket_size")
    yield from refuses(
        config,
        place,
        f"allgather_bucket_size {size:.0f} is odd; ZeRO stage {config.stage} needs a multiple of 2 elements",
        "engine",
        fixes=(replace_value(f"Set it to {size + 1:.0f}", place, f"{size + 1:.0f}"),),
    )
