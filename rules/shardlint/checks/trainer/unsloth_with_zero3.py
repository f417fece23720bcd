"""Unsloth is combined with ZeRO-3.

## What it does
Reports `use_unsloth: true` in a LLaMA-Factory file whose DeepSpeed file runs stage 3.

## Why is this bad
Unsloth loads the whole model onto each GPU with a device map and replaces its layers; ZeRO-3 places the
parameters itself. LLaMA-Factory refuses the pair.

## Example
```yaml train.yaml
model_name_or_path: org/model
stage: sft
finetuning_type: lora
use_unsloth: true
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 3}
}
```
Fires at `train.yaml: use_unsloth`.

## Use instead
```yaml train.yaml
model_name_or_path: org/model
stage: sft
finetuning_type: lora
use_unsloth: false
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 3}
}
```

## References
- https://llamafactory.readthedocs.io/en/latest/advanced/acceleration.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan


@rule("TRN026", "unsloth-with-zero3", severity=WARNING, since="0.1")
def unsloth_with_zero3(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = job.reading("hf-args")
    entry = reading.view.get("use_unsloth") if reading is not None else None
    if reading is not None and entry is not None and is_on(entry) and plan.stage.value == 3:
        yield Finding(
            "unsloth loads the whole model with a device map, which ZeRO-3 excludes; the run stops when "
            "it loads",
            at_value(reading, entry),
            WARNING,
            confidence="assumed",
            help="Set use_unsloth: false, or use ZeRO-2.",
            related=related(plan.stage.place, "stage 3 is given here"),
        )
