"""`zero3_init_flag` is on below ZeRO-3.

## What it does
Notes `zero3_init_flag: true` in an accelerate file whose `zero_stage` is not 3.

## Why is this bad
Building the model in shards is a part of ZeRO-3. At another stage accelerate warns and switches the flag
off, so every rank loads the whole model.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  zero_stage: 2
  zero3_init_flag: true
```
Fires at `accelerate.yaml: deepspeed_config.zero3_init_flag`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  zero_stage: 2
  zero3_init_flag: false
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, whole
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import config_file, runs
from shardlint.checks.support import at_value, replace_value
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading

DEFAULT_STAGE = 2


@rule("SHD034", "sharded-init-below-stage-3", severity=INFO, since="0.1", about=("zero3_init_flag",))
def sharded_init_below_stage_3(reading: Reading) -> Iterator[Finding]:
    section = "deepspeed_config"
    entry, stage_entry = reading.view.get(section, "zero3_init_flag"), reading.view.get(section, "zero_stage")
    stage = DEFAULT_STAGE if stage_entry is None else whole(stage_entry)
    linked = config_file(reading) is not None
    if (
        not runs(reading, "DEEPSPEED")
        or linked
        or entry is None
        or not is_on(entry)
        or stage not in (0, 1, 2)
    ):
        return
    place = at_value(reading, entry)
    yield Finding(
        f"zero3_init_flag has no effect at ZeRO-{stage}; accelerate switches it off",
        place,
        INFO,
        help="Set it to false, or zero_stage to 3.",
        fixes=(replace_value("Set zero3_init_flag to false", place, "false", safe=True),),
    )
