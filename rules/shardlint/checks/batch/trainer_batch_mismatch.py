"""A batch key of the DeepSpeed file differs from the TrainingArguments it is used with.

## What it does
Compares `train_micro_batch_size_per_gpu`, `gradient_accumulation_steps` and `train_batch_size` of a DeepSpeed
file with `per_device_train_batch_size`, `gradient_accumulation_steps` and their product over all ranks.

## Why is this bad
The Trainer collects every value of the DeepSpeed file that differs from its own arguments and raises one
ValueError when training starts. Only `"auto"` is filled in.

## Example
```yaml train.yaml
model_name_or_path: org/model
output_dir: out
per_device_train_batch_size: 2
gradient_accumulation_steps: 4
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 8,
  "gradient_accumulation_steps": "auto",
  "zero_optimization": {"stage": 2}
}
```
Fires at `ds_config.json: train_micro_batch_size_per_gpu`.

## Use instead
```yaml train.yaml
model_name_or_path: org/model
output_dir: out
per_device_train_batch_size: 2
gradient_accumulation_steps: 4
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "gradient_accumulation_steps": "auto",
  "zero_optimization": {"stage": 2}
}
```

## References
- https://huggingface.co/docs/transformers/deepspeed#batch-size
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.batch.triangle import MICRO, STEPS, TRAIN
from shardlint.checks.files import argument, deepspeed_file, filled_by_trainer, open_names
from shardlint.checks.judging import refused, whole
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related, replace_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding

PAIRS = ((MICRO, "per_device_train_batch_size"), (STEPS, "gradient_accumulation_steps"))


@rule(
    "BAT006",
    "trainer-batch-mismatch",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    supersedes=("batch-triangle-mismatch", "indivisible-train-batch", "fact-contradicts-file"),
)
def trainer_batch_mismatch(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = deepspeed_file(plan, job)
    if reading is None or not filled_by_trainer(job):
        return
    for key, name in PAIRS:
        entry, fact = reading.view.get(key), argument(job, name)
        stated = whole(entry)
        if entry is None or stated is None or not isinstance(fact.value, int) or fact.value == stated:
            continue
        place = at_value(reading, entry)
        yield refused(
            f"{key} {stated} differs from {name} {fact.value} ({fact.origin}); the Trainer refuses to start",
            place,
            "config",
            fact.certain and job.consumer.certain,
            help='Write "auto" and the Trainer fills in its own value.',
            related=related(fact.place, f"{name} is {fact.value} here"),
            fixes=(replace_value(f'Set {key} to "auto"', place, '"auto"'),),
        )
    yield from _whole_batch(plan, job)


def _whole_batch(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = deepspeed_file(plan, job)
    entry = reading.view.get(TRAIN) if reading else None
    stated, world = whole(entry), plan.world
    micro, steps = argument(job, PAIRS[0][1]), argument(job, PAIRS[1][1])
    if reading is None or entry is None or stated is None or not isinstance(micro.value, int):
        return
    if not steps.known and STEPS in open_names(job):
        return
    accumulation = steps.value if isinstance(steps.value, int) else 1
    if not world.value or stated == micro.value * accumulation * world.value:
        return
    product = micro.value * accumulation * world.value
    place = at_value(reading, entry)
    yield refused(
        f"train_batch_size {stated} differs from the arguments' {micro.value} x {accumulation} x "
        f"{world.value} ranks = {product}; the Trainer refuses to start",
        place,
        "config",
        micro.certain and steps.certain and world.certain and job.consumer.certain,
        help='Write "auto" and the Trainer fills in its own product.',
        related=related(micro.place, f"per_device_train_batch_size is {micro.value} here"),
        fixes=(replace_value('Set train_batch_size to "auto"', place, '"auto"'),),
    )
