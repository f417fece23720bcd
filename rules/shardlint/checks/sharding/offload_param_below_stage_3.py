"""Parameter offload is asked for at a stage that does not partition parameters.

## What it does
Reports `offload_param` of a DeepSpeed file, or `offload_param_device` of accelerate's `deepspeed_config`, at
ZeRO stage 0, 1 or 2.

## Why is this bad
Only stage 3 partitions parameters, and only partitioned parameters can leave the GPU. Below stage 3 the
section is ignored without a message: the weights stay on every GPU.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {
    "stage": 2,
    "offload_param": {"device": "cpu"}
  }
}
```
Fires at `ds_config.json: zero_optimization.offload_param`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {
    "stage": 3,
    "offload_param": {"device": "cpu"}
  }
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#parameter-offloading
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.sharding.offload import offloads
from shardlint.checks.support import at_key, at_value, related, replace_value
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading


@rule("SHD001", "offload-param-below-stage-3", severity=WARNING, since="0.1", about=("offload",))
def offload_param_below_stage_3(reading: Reading) -> Iterator[Finding]:
    for entry, device, stage, stage_entry in offloads(reading, "offload_param"):
        if stage >= 3:
            continue
        stated = at_value(reading, stage_entry) if stage_entry else None
        yield Finding(
            f"{entry.name} to {device} needs ZeRO stage 3; at stage {stage} it is ignored and the "
            "parameters stay on every GPU",
            at_key(reading, entry),
            WARNING,
            help="Use stage 3, or offload only the optimizer (offload_optimizer).",
            related=related(stated, f"stage {stage} is set here"),
            fixes=(replace_value("Set the stage to 3", stated, "3"),) if stated else (),
        )
