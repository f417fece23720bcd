"""Optimizer offload is asked for while ZeRO is off.

## What it does
Reports `offload_optimizer` of a DeepSpeed file, or `offload_optimizer_device` of accelerate's
`deepspeed_config`, at ZeRO stage 0. A `zero_optimization` section without `stage` is stage 0 in a DeepSpeed
file.

## Why is this bad
Offload is part of ZeRO. At stage 0 no state leaves the GPU: the full FP32 master weights and moments stay on
every rank.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {
    "offload_optimizer": {"device": "cpu"}
  }
}
```
Fires at `ds_config.json: zero_optimization.offload_optimizer`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {
    "stage": 1,
    "offload_optimizer": {"device": "cpu"}
  }
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#optimizer-offloading
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.sharding.offload import offloads
from shardlint.checks.support import at_key, at_value, related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading


@rule("SHD002", "offload-optimizer-at-stage-0", severity=WARNING, since="0.1", about=("offload",))
def offload_optimizer_at_stage_0(reading: Reading) -> Iterator[Finding]:
    for entry, device, stage, stage_entry in offloads(reading, "offload_optimizer"):
        if stage != 0:
            continue
        why = "at stage 0" if stage_entry else "without a stage, which means stage 0,"
        yield Finding(
            f"{entry.name} to {device} {why} does nothing: ZeRO is off and the optimizer states stay on "
            "every GPU",
            at_key(reading, entry),
            WARNING,
            help="Set the ZeRO stage to 1, 2 or 3.",
            related=related(at_value(reading, stage_entry) if stage_entry else None, "stage 0 is set here"),
        )
