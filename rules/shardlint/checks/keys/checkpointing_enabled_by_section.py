"""An empty section switches DataStates checkpointing on.

## What it does
Reports `datastates_ckpt: {}`.

## Why is this bad
The section counts as enabled unless its value is literally false, so that an empty one replaces the
checkpoint engine.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "datastates_ckpt": {}
}
```
Fires at `ds_config.json: datastates_ckpt`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "datastates_ckpt": false
}
```

## References
- https://www.deepspeed.ai/docs/config-json/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("KEY023", "checkpointing-enabled-by-section", severity=WARNING, since="0.1", about=("datastates_ckpt",))
def checkpointing_enabled_by_section(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    entry = config.get("datastates_ckpt") if config else None
    if entry is None or entry.value != {} or not job.settings.versions("deepspeed").some_at_least("0.18.2"):
        return
    yield Finding(
        "datastates_ckpt is empty, which switches it on: only false switches it off",
        at_key(reading, entry),
        WARNING,
    )
