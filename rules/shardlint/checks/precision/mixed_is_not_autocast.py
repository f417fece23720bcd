"""Lightning's mixed precision under DeepSpeed is the engine's half precision.

## What it does
Notes an fp16 or bf16 DeepSpeed file read by Lightning with `precision: 16-mixed` or `bf16-mixed`.

## Why is this bad
Elsewhere "mixed" means autocast: fp32 weights, single operators in 16 bits. The DeepSpeed strategy switches
the engine's own mode on instead: the weights are kept in 16 bits, with fp32 masters in the optimizer, and
no operator is lifted back to fp32.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 2},
  "fp16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
consumer = "lightning"
training_args.precision = "16-mixed"
```
Fires at `ds_config.json: fp16.enabled`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 2},
  "fp16": {"enabled": false}
}
```
```toml shardlint.toml
[facts]
consumer = "lightning"
training_args.precision = "16-mixed"
```

## References
- https://lightning.ai/docs/pytorch/stable/advanced/model_parallel/deepspeed.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import argument
from shardlint.checks.precision.asked import asked
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("PRC033", "mixed-is-not-autocast", severity=INFO, since="0.1", about=("-mixed",))
def mixed_is_not_autocast(reading: Reading, job: Job) -> Iterator[Finding]:
    chosen = argument(job, "precision")
    if reading.format.name != "deepspeed" or job.consumer.value != "lightning":
        return
    if not isinstance(chosen.value, str) or not chosen.value.endswith("-mixed"):
        return
    for name, entry in asked(reading):
        yield Finding(
            f"precision {chosen.value} is no autocast under DeepSpeed: the engine keeps {name} weights "
            f"with fp32 "
            "masters",
            at_value(reading, entry),
            INFO,
            help="Use torch_autocast (newer DeepSpeed) for autocast, or bf16 for its range.",
            related=related(chosen.place, f"precision {chosen.value} is given here"),
        )
