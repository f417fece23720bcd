"""A model trained in bfloat16 is trained on in fp16.

## What it does
Reports fp16 for a model whose weights were trained in bfloat16 (`model.pretrained_dtype`).

## Why is this bad
bfloat16 reaches as far as float32, float16 only to 65,504. Activations and gradients of such a model exceed
that: the loss scale falls to its floor, steps are skipped, the loss turns to NaN.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3},
  "fp16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
model.pretrained_dtype = "bfloat16"
```
Fires at `ds_config.json: fp16.enabled`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3},
  "bf16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
model.pretrained_dtype = "bfloat16"
```

## References
- https://huggingface.co/docs/transformers/perf_train_gpu_one#mixed-precision
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.precision.asked import asked
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import INFO, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import Fact, TrainingPlan

BFLOAT16 = ("bfloat16", "bf16", "torch.bfloat16")
AMPERE = 8.0


@rule("PRC030", "fp16-for-bf16-model", severity=WARNING, since="0.1", about=("fp16",))
def fp16_for_bf16_model(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    trained = plan.option("model.pretrained_dtype")
    if not isinstance(trained.value, str) or trained.value.strip().lower() not in BFLOAT16:
        return
    for reading in job.readings:
        for name, entry in asked(reading):
            if name != "fp16":
                continue
            yield Finding(
                f"{_model(plan)} was trained in bf16 ({trained.origin}), whose range fp16 does not have: "
                f"the loss "
                "scale falls and steps are skipped",
                at_value(reading, entry),
                WARNING if trained.standing == "given" else INFO,
                confidence="estimated",
                help=_advice(plan.capability),
                related=related(trained.place, "the model's dtype is given here"),
            )


def _model(plan: TrainingPlan) -> str:
    name = plan.option("model.name").value
    return name if isinstance(name, str) else "the model"


def _advice(capability: Fact[float]) -> str:
    if capability.value is not None and capability.value < AMPERE:
        return (
            "This GPU has no bf16 of its own: train in fp32, or on a GPU of compute capability 8.0 or above."
        )
    return "Train in bf16 (compute capability 8.0 or above), or in fp32."
