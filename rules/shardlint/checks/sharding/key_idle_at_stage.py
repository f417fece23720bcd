"""A ZeRO key is set at a stage that does not read it.

## What it does
Reports keys of `zero_optimization` that only other ZeRO stages read: `stage3_*`, hpZ and the quantized
weights below stage 3, `elastic_checkpoint` at stage 3. One finding names them all. Keys that state the
default and `auto` are left alone, and so is a section at stage 0, which is switched off as a whole.

## Why is this bad
DeepSpeed takes the keys at every stage and says nothing, so a file can look as if it sharded the weights and
shard none.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2, "zero_quantized_weights": true, "zero_hpz_partition_size": 8}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: zero_optimization.zero_quantized_weights`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "zero_quantized_weights": true, "zero_hpz_partition_size": 8}
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

import json
import re
from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, Config, config_of
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.formats.reading import is_open
from shardlint.report import WARNING, Finding, Related
from shardlint.schema import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.syntax.view import Entry

STAGES = re.compile(r"ZeRO stages? (\d)(?: (and|to) (\d))?")
TOLD_ELSEWHERE = ("offload_param", "cpu_offload_param", "offload_optimizer", "cpu_offload")
MOST_NAMES = 3


@rule("SHD051", "key-idle-at-stage", severity=WARNING, since="0.1")
def key_idle_at_stage(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or not config.stage:
        return
    idle = list(_idle(config, config.stage))
    if not idle:
        return
    names = [entry.name for entry, _ in idle]
    shown = ", ".join(names[:MOST_NAMES]) + (
        f" and {len(names) - MOST_NAMES} more" if names[MOST_NAMES:] else ""
    )
    verb, them = ("is", "it") if len(names) == 1 else ("are", "them")
    yield Finding(
        f"{shown} {verb} for {idle[0][1]}; at stage {config.stage} DeepSpeed ignores {them}",
        at_key(reading, idle[0][0]),
        WARNING,
        related=(
            *(Related(at_key(reading, entry), "ignored too") for entry, _ in idle[1:]),
            *config.related("the stage is set here", ZERO, "stage"),
        ),
    )


def _idle(config: Config, stage: int) -> Iterator[tuple[Entry, str]]:
    """The keys this stage does not read, and the stages that do."""
    here = table("deepspeed")
    for entry in config.reading.view.entries(*config.base, ZERO):
        key = here.find((ZERO, entry.name))
        found = STAGES.match(key.effective) if key else None
        if key is None or found is None or entry.name in TOLD_ELSEWHERE or is_open(entry.value):
            continue
        first, last = int(found.group(1)), int(found.group(3) or found.group(1))
        if first <= stage <= last or entry.value in (None, False) or str(entry.value) == key.default:
            continue
        if not isinstance(entry.value, dict) and json.dumps(entry.value) != key.default:
            yield entry, found.group(0)
