"""The Trainer is to find the batch size by trial under a sharding engine.

## What it does
Reports `auto_find_batch_size` together with DeepSpeed or FSDP.

## Why is this bad
The search halves the batch after an out-of-memory error and starts training again in the same process. The
Trainer refuses it with ZeRO-3; with other stages and with FSDP the engine of the first try still holds its
memory, and one rank that runs out alone leaves the others waiting.

## Example
```yaml train.yaml
per_device_train_batch_size: 64
output_dir: out
auto_find_batch_size: true
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 3}
}
```
Fires at `train.yaml: auto_find_batch_size`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 64
output_dir: out
auto_find_batch_size: false
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 3}
}
```

## References
- https://huggingface.co/docs/transformers/main_classes/trainer#transformers.TrainingArguments.auto_find_batch_size
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

REFUSED_SINCE = "4.41.0"
"""First transformers release with the check for ZeRO-3."""


@rule(
    "TRN006",
    "batch-size-search-when-sharded",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("auto_find_batch_size",),
)
def batch_size_search_when_sharded(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading, engine = job.reading("hf-args"), plan.framework.value
    entry = reading.view.get("auto_find_batch_size") if reading is not None else None
    if reading is None or entry is None or not is_on(entry):
        return
    if engine == "deepspeed" and plan.stage.value == 3:
        yield refused(
            "auto_find_batch_size with deepspeed at ZeRO-3; the Trainer refuses to start",
            at_value(reading, entry),
            "engine",
            plan.stage.certain and job.settings.versions("transformers").all_at_least(REFUSED_SINCE),
            help="Turn it off and set per_device_train_batch_size.",
            related=related(plan.stage.place, "stage 3 is given here"),
            assumes=(f"transformers {REFUSED_SINCE} or later",),
        )
    elif engine in ("deepspeed", "fsdp1", "fsdp2"):
        word = "deepspeed" if engine == "deepspeed" else "FSDP"
        yield Finding(
            f"auto_find_batch_size with {word} does not recover: the sharded engine of the first try keeps "
            f"its memory, "
            "and a rank that runs out alone leaves the others waiting",
            at_value(reading, entry),
            WARNING,
            help="Turn it off and set per_device_train_batch_size.",
        )
