"""The precision of the DeepSpeed file differs from the TrainingArguments it is used with.

## What it does
Compares `bf16.enabled` and `fp16.enabled` of a DeepSpeed file with `bf16` and `fp16` of the training
arguments, where the arguments state them.

## Why is this bad
The Trainer lists every value of the DeepSpeed file that differs from its own arguments and raises a
ValueError when training starts. Only `"auto"` is filled in.

## Example
```yaml train.yaml
model_name_or_path: org/model
output_dir: out
bf16: true
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2},
  "fp16": {"enabled": true}
}
```
Fires at `ds_config.json: fp16.enabled`.

## Use instead
```yaml train.yaml
model_name_or_path: org/model
output_dir: out
bf16: true
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2},
  "bf16": {"enabled": "auto"}
}
```

## References
- https://huggingface.co/docs/transformers/deepspeed#data-type
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import argument, deepspeed_file, filled_by_trainer
from shardlint.checks.judging import is_off, is_on, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related, replace_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding

OTHER = {"bf16": "fp16", "fp16": "bf16"}


@rule(
    "PRC004",
    "trainer-precision-mismatch",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    supersedes=("fact-contradicts-file",),
)
def trainer_precision_mismatch(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = deepspeed_file(plan, job)
    if reading is None or not filled_by_trainer(job):
        return
    for name, other in OTHER.items():
        entry = reading.view.get(name, "enabled")
        own, rival = argument(job, name), argument(job, other)
        wanted = own.value if isinstance(own.value, bool) else (False if rival.value is True else None)
        if entry is None or wanted is None or not (is_on(entry) if not wanted else is_off(entry)):
            continue
        source = own if isinstance(own.value, bool) else rival
        stated = f"{name} {str(wanted).lower()}" if source is own else f"{other} true"
        place = at_value(reading, entry)
        yield refused(
            f"{name}.enabled is {entry.value!r} here, but the training arguments say {stated} "
            f"({source.origin}); the Trainer refuses to start",
            place,
            "config",
            source.certain and job.consumer.certain,
            help='Write "auto" in the DeepSpeed file and the Trainer fills in its own precision.',
            related=related(source.place, f"the training arguments say {stated} here"),
            fixes=(replace_value(f'Set {name}.enabled to "auto"', place, '"auto"'),),
        )
