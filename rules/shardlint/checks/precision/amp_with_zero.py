"""Apex amp is on together with ZeRO, fp16 or bf16.

## What it does
Reports an enabled `amp` block next to ZeRO stage 1 to 3, `fp16` or `bf16`, for DeepSpeed releases that still
know the block. DeepSpeed 0.19.8 and later refuse the block itself.

## Why is this bad
amp patches the optimizer step that ZeRO replaces, so that DeepSpeed asserts that only one of them is used
while the engine is built.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 2},
  "amp": {"enabled": true, "opt_level": "O1"}
}
```
```toml shardlint.toml
[facts]
versions.deepspeed = "0.19.6"
```
Fires at `ds_config.json: amp`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 2},
  "fp16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
versions.deepspeed = "0.19.6"
```

## References
- https://www.deepspeed.ai/docs/config-json/#automatic-mixed-precision-amp-training-options
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, read_by, refused
from shardlint.checks.precision.asked import asked
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("PRC005", "amp-with-zero", severity=ERROR, since="0.1", fails_at="engine", about=("amp",))
def amp_with_zero(reading: Reading, job: Job) -> Iterator[Finding]:
    block = reading.view.get("amp") if reading.format.name == "deepspeed" else None
    if block is None or not is_on(reading.view.get("amp", "enabled")):
        return
    if job.settings.versions("deepspeed").all_at_least("0.19.8"):
        return
    stage = reading.terms.get("stage")
    level = stage.value if stage and isinstance(stage.value, int) else 0
    halves = [name for name, _ in asked(reading)]
    if not level and not halves:
        return
    partner = f"ZeRO-{level}" if level else halves[0]
    yield refused(
        f"amp cannot be combined with {partner}; DeepSpeed refuses to build the engine",
        at_key(reading, block),
        "engine",
        not read_by(job, "custom"),
        help="ZeRO needs fp16 or bf16 instead of Apex amp; DeepSpeed 0.19.8 removed amp altogether.",
    )
