"""Quantized gradients are asked for with reduce-scatter switched off.

## What it does
Reports `zero_quantized_gradients: true` with `reduce_scatter: false` at ZeRO stage 3.

## Why is this bad
The quantized reduction replaces the reduce-scatter. Stage 3 asserts that it is on.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "zero_quantized_gradients": true, "reduce_scatter": false},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: zero_optimization.reduce_scatter`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "zero_quantized_gradients": true},
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
- https://www.deepspeed.ai/tutorials/zeropp/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "SHD048",
    "quantized-gradients-without-reduce-scatter",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("zero_quantized_gradients",),
)
def quantized_gradients_without_reduce_scatter(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or config.stage != 3 or not config.off(ZERO, "reduce_scatter"):
        return
    if not config.on(ZERO, "zero_quantized_gradients"):
        return
    yield from refuses(
        config,
        config.place(ZERO, "reduce_scatter"),
        "reduce_scatter is off, and zero_quantized_gradients replaces the reduce-scatter of stage 3",
        "engine",
        help="Remove reduce_scatter; it is on by default.",
        others=config.related("quantized gradients are asked for here", ZERO, "zero_quantized_gradients"),
    )
