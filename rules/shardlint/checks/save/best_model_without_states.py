"""Only the model is saved, but the best one is to be loaded at the end.

## What it does
Reports `save_only_model` with `load_best_model_at_end` under DeepSpeed or FSDP.

## Why is this bad
Loading the best model back needs the sharded checkpoint of the engine, which `save_only_model` leaves out.
The Trainer refuses the pair under DeepSpeed and FSDP.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
save_only_model: true
load_best_model_at_end: true
eval_strategy: steps
save_strategy: steps
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2}
}
```
Fires at `train.yaml: save_only_model`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
save_only_model: false
load_best_model_at_end: true
eval_strategy: steps
save_strategy: steps
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2}
}
```

## References
- https://huggingface.co/docs/transformers/main_classes/trainer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding

ENGINES = {"deepspeed": "DeepSpeed", "fsdp1": "FSDP", "fsdp2": "FSDP"}


@rule(
    "SAV002",
    "best-model-without-states",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("save_only_model",),
)
def best_model_without_states(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading, engine = job.reading("hf-args"), ENGINES.get(plan.framework.value or "")
    only = reading.view.get("save_only_model") if reading is not None else None
    best = reading.view.get("load_best_model_at_end") if reading is not None else None
    if reading is None or engine is None or only is None or best is None or not (is_on(only) and is_on(best)):
        return
    yield refused(
        f"save_only_model and load_best_model_at_end are both true under {engine}; the Trainer refuses to "
        f"start",
        at_value(reading, only),
        "engine",
        True,
        help="Set one of the two to false.",
        related=related(at_value(reading, best), "the best model is asked for here"),
    )
