"""Gradients are scaled before the reduction while reduce-scatter is on.

## What it does
Reports `prescale_gradients: true` and a `gradient_predivide_factor` other than 1 at ZeRO stage 2 or 3 unless
`reduce_scatter` is false. Stage 1 takes both, and stage 2 does where gradients are summed.

## Why is this bad
The reduce-scatter path knows only the division after the reduction, and `reduce_scatter` is on by default.
The optimizer asserts that while it is built.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "prescale_gradients": true,
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: prescale_gradients`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2, "reduce_scatter": false},
  "prescale_gradients": true,
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
- https://www.deepspeed.ai/docs/config-json/#communication-options
- https://www.deepspeed.ai/docs/config-json/#zero-optimizations-for-fp16-training
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

SUM_SINCE = "0.19.6"
"""Releases before it do not read gradient_allreduce_op and average."""


@rule(
    "SHD041",
    "scaled-gradients-with-reduce-scatter",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("prescale_gradients", "gradient_predivide_factor"),
)
def scaled_gradients_with_reduce_scatter(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if (
        config is None
        or config.stage not in (2, 3)
        or config.switch(True, ZERO, "reduce_scatter") is not True
    ):
        return
    summed = (config.word("mean", "gradient_allreduce_op") or "sum").lower() == "sum"
    factor = config.number(1.0, "gradient_predivide_factor")
    if config.on("prescale_gradients"):
        name, what = "prescale_gradients", "prescale_gradients true"
    elif factor is not None and factor != 1.0:
        name, what = "gradient_predivide_factor", f"gradient_predivide_factor {factor:g}"
    else:
        return
    given = config.get(ZERO, "reduce_scatter") is not None
    yield from refuses(
        config,
        config.place(name),
        f"{what} is not supported at ZeRO stage {config.stage} with reduce_scatter, which is "
        f"{'switched on' if given else 'on by default'}",
        "engine",
        until=SUM_SINCE if summed and config.stage == 2 else "",
        help="Set zero_optimization.reduce_scatter to false, or remove the scaling.",
        others=config.related("reduce_scatter is switched on here", ZERO, "reduce_scatter"),
    )
