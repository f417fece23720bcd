"""The stage 1 of before DeepSpeed 0.5.9 is asked for.

## What it does
Reports `legacy_stage1: true` at ZeRO stage 1, 2 or 3.

## Why is this bad
The code is gone; what is left of the key is an exception while the optimizer is built.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 1, "legacy_stage1": true},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: zero_optimization.legacy_stage1`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 1},
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
from shardlint.checks.support import at_key
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "SHD052",
    "legacy-stage-1",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    supersedes=("inert-key",),
    about=("legacy_stage1",),
)
def legacy_stage_1(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    entry = config.get(ZERO, "legacy_stage1") if config else None
    if config is None or entry is None or not config.stage or not config.on(ZERO, "legacy_stage1"):
        return
    yield from refuses(
        config,
        at_key(reading, entry),
        "legacy_stage1 asks for code that is gone since DeepSpeed 0.5.9",
        "engine",
        help="Remove legacy_stage1.",
    )
