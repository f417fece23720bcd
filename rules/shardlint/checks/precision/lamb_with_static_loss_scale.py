"""Lamb is combined with a static loss scale.

## What it does
Reports an optimizer of type `Lamb` in a file that sets `fp16.loss_scale` to anything but 0, even where fp16
is switched off.

## Why is this bad
DeepSpeed's Lamb works with dynamic loss scaling only and asserts that before anything else is built.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "Lamb", "params": {"lr": 0.001}},
  "fp16": {"enabled": false, "loss_scale": 128}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: fp16.loss_scale`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "Lamb", "params": {"lr": 0.001}},
  "fp16": {"enabled": false, "loss_scale": 0}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#optimizer-parameters
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
    "PRC014", "lamb-with-static-loss-scale", severity=ERROR, since="0.1", fails_at="engine", about=("lamb",)
)
def lamb_with_static_loss_scale(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or (config.word("", "optimizer", "type") or "").lower() != "lamb":
        return
    scale = config.number(0, "fp16", "loss_scale")
    if not scale:
        return
    yield from refuses(
        config,
        config.place("fp16", "loss_scale"),
        f"loss_scale {scale:g} is static, and Lamb requires dynamic loss scaling",
        "engine",
        help="Set fp16.loss_scale to 0.",
        others=config.related("the optimizer is given here", "optimizer", "type"),
    )
