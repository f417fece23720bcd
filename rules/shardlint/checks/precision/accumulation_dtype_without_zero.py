"""Gradients are accumulated in another dtype than the weights while ZeRO is off.

## What it does
Reports `data_types.grad_accum_dtype` at ZeRO stage 0 where it is not the dtype of the weights: bf16, fp16, or
fp32 where neither is on.

## Why is this bad
Only the ZeRO optimizers keep gradients in a dtype of their own. Without ZeRO the engine raises
NotImplementedError; before DeepSpeed 0.17.6 it had one exception, FP32 gradients for bf16 weights.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "data_types": {"grad_accum_dtype": "fp32"},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: data_types.grad_accum_dtype`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "bf16": {"enabled": true},
  "data_types": {"grad_accum_dtype": "fp32"},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#data-type-options
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.registry import rule
from shardlint.formats.values import dtype
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "PRC012",
    "accumulation-dtype-without-zero",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("grad_accum_dtype",),
)
def accumulation_dtype_without_zero(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    stated = config.get("data_types", "grad_accum_dtype") if config else None
    if config is None or stated is None or config.stage != 0:
        return
    kept, model = dtype(stated.value), config.dtype
    if kept is None or model is None or kept == model:
        return
    yield from refuses(
        config,
        config.place("data_types", "grad_accum_dtype"),
        f"grad_accum_dtype {stated.value} for {model} weights needs ZeRO, and the stage is 0",
        "engine",
        since="0.17.6" if (model, kept) == ("bf16", "fp32") else "",
        help=f"Set the ZeRO stage to 1 or above, or grad_accum_dtype to {model}.",
        others=config.related("the stage is set here", "zero_optimization", "stage"),
    )
