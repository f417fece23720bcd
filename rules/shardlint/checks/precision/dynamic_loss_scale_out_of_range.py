"""Dynamic loss scaling gets a window or a floor that is not positive.

## What it does
Reports `fp16.loss_scale_window` and `fp16.min_loss_scale` of 0 or less where fp16 is on and `loss_scale` is
0, which means dynamic. With a static scale the two keys are not read.

## Why is this bad
The scaler divides by the window and never goes below the floor: 0 means a division by zero or a scale that
collapses. DeepSpeed refuses both since 0.19.3.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "fp16": {"enabled": true, "loss_scale": 0, "loss_scale_window": 0}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: fp16.loss_scale_window`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "fp16": {"enabled": true, "loss_scale": 0, "loss_scale_window": 1000}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#fp16-training-options
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "PRC013",
    "dynamic-loss-scale-out-of-range",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("loss_scale",),
)
def dynamic_loss_scale_out_of_range(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or not config.on("fp16", "enabled") or config.number(0, "fp16", "loss_scale") != 0:
        return
    for name in ("loss_scale_window", "min_loss_scale"):
        value = config.number(1, "fp16", name)
        if value is None or value > 0:
            continue
        yield from refuses(
            config,
            config.place("fp16", name),
            f"{name} {value:g} is not above 0 while the loss scale is dynamic",
            "config",
            since="0.19.3",
            help=f"Remove {name} to get its default.",
            others=config.related("loss_scale 0 means dynamic", "fp16", "loss_scale"),
        )
