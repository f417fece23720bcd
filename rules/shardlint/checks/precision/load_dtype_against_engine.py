"""The model is loaded in one 16-bit format and trained in the other.

## What it does
Compares the dtype the model is loaded in (`model.load_dtype`, or `torch_dtype` of a training file) with the
16-bit format DeepSpeed trains in.

## Why is this bad
DeepSpeed casts the parameters to its own format: values that were rounded to fp16 (and clipped at 65504) are
rounded a second time to bf16, or bf16 values outside the fp16 range become infinite. FP32 masters are made
from the rounded weights. Code that builds inputs in the load dtype then meets weights of the other one and
raises a dtype error.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 3},
  "bf16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
model.load_dtype = "float16"
```
Fires at `ds_config.json: bf16.enabled`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 3},
  "bf16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
model.load_dtype = "bfloat16"
```

## References
- https://www.deepspeed.ai/docs/config-json/#bfloat16-training-options
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import deepspeed_file
from shardlint.checks.precision.asked import asked
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

NAMES = {"float16": "fp16", "fp16": "fp16", "half": "fp16", "bfloat16": "bf16", "bf16": "bf16"}
FULL = {"fp16": "float16", "bf16": "bfloat16"}


@rule("PRC003", "load-dtype-against-engine", severity=WARNING, since="0.1")
def load_dtype_against_engine(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    loaded = NAMES.get((plan.load_dtype.value or "").removeprefix("torch."))
    reading = deepspeed_file(plan, job)
    if loaded is None or reading is None:
        return
    for engine, entry in asked(reading):
        if engine == loaded:
            continue
        yield Finding(
            f"the engine trains in {engine}, but the model is loaded in {FULL[loaded]} "
            f"({plan.load_dtype.origin}); every weight is rounded twice",
            at_value(reading, entry),
            WARNING,
            help=f"Load the model in {FULL[engine]} ({engine}), or train in {loaded}.",
            related=related(plan.load_dtype.place, f"the load dtype {FULL[loaded]} is given here"),
        )
