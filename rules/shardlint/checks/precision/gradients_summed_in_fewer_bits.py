"""Gradients are accumulated in fp32 but exchanged in 16 bits.

## What it does
Notes a `communication_data_type` of fp16 or bf16 beside `data_types.grad_accum_dtype: fp32`.

## Why is this bad
The sum over ranks is then rounded to 16 bits at every step, and what fp32 accumulation kept is lost at that
point. It is legal, and half the traffic; the choice should be a conscious one.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "communication_data_type": "bf16",
  "data_types": {"grad_accum_dtype": "fp32"},
  "zero_optimization": {"stage": 2}
}
```
Fires at `ds_config.json: communication_data_type`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "communication_data_type": "fp32",
  "data_types": {"grad_accum_dtype": "fp32"},
  "zero_optimization": {"stage": 2}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#communication-options
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import word
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading

SHORT = ("fp16", "bf16")


@rule(
    "PRC032", "gradients-summed-in-fewer-bits", severity=INFO, since="0.1", about=("communication_data_type",)
)
def gradients_summed_in_fewer_bits(reading: Reading) -> Iterator[Finding]:
    sent, kept = (
        reading.view.get("communication_data_type"),
        reading.view.get("data_types", "grad_accum_dtype"),
    )
    if reading.format.name != "deepspeed" or sent is None or kept is None:
        return
    if word(sent) in SHORT and word(kept) in ("fp32", "float32"):
        yield Finding(
            f"gradients accumulate in fp32 but are summed over ranks in {sent.value}: each exchange rounds "
            f"them to 16 "
            "bits",
            at_value(reading, sent),
            INFO,
            help="communication_data_type fp32 keeps them, for twice the traffic.",
            related=related(at_value(reading, kept), "accumulation in fp32 is chosen here"),
        )
