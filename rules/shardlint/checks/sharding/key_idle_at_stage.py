"""A ZeRO key is set at a stage that does not read it.

## What it does
Reports keys of `zero_optimization` that only other ZeRO stages read: `stage3_*`, hpZ and the quantized
weights below stage 3, `elastic_checkpoint` at stage 3. Keys that state the default and `auto` are left
alone, and so is a section at stage 0, which is switched off as a whole. A key that only tunes a size, or
gathers for a checkpoint what is not sharded anyway, is an information.

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
Fires at `ds_config.json: zero_optimization.zero_hpz_partition_size`.

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

import re
from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, config_of
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.formats.reading import is_open
from shardlint.formats.values import integer
from shardlint.report import INFO, WARNING, Finding
from shardlint.schema import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.schema import Key
    from shardlint.syntax.view import Value

STAGES = re.compile(r"ZeRO stages? (\d)(?: (?:and|to) (\d))?")
TOLD_ELSEWHERE = ("offload_param", "cpu_offload_param", "offload_optimizer", "cpu_offload")
GATHERS = "gather_16bit_weights_on_model_save"


@rule("SHD051", "key-idle-at-stage", severity=WARNING, since="0.1")
def key_idle_at_stage(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or not config.stage:
        return
    here = table("deepspeed")
    for entry in reading.view.entries(*config.base, ZERO):
        key = here.find((ZERO, entry.name))
        readers = _readers(key, config.stage) if key else None
        if key is None or readers is None or entry.name in TOLD_ELSEWHERE or not _asks(key, entry.value):
            continue
        yield Finding(
            f"{entry.name} is for {readers}; at stage {config.stage} DeepSpeed ignores it",
            at_key(reading, entry),
            INFO if key.unit == "elements" or GATHERS in key.name else WARNING,
            related=config.related("the stage is set here", ZERO, "stage"),
        )


def _readers(key: Key, stage: int) -> str | None:
    """The stages that read a key (`ZeRO stages 1 and 2`), where the given one does not."""
    found = STAGES.match(key.effective)
    if found is None or int(found.group(1)) <= stage <= int(found.group(2) or found.group(1)):
        return None
    return found.group(0)


def _asks(key: Key, value: Value) -> bool:
    """Whether a value asks for something: neither open, nor off, nor the default."""
    if is_open(value) or value is None or value is False or isinstance(value, list):
        return False
    return isinstance(value, dict) or key.default not in (str(value).lower(), str(integer(value)))
