"""The DeepSpeed file and the training arguments name different optimizers.

## What it does
Compares `optimizer.type` of a DeepSpeed file with `optim` of the training arguments.

## Why is this bad
Where the DeepSpeed file has an `optimizer`, the Trainer leaves it to DeepSpeed and does not look at
`optim`: an 8-bit, paged or memory-saving optimizer asked for there is not used, and its figures do not
apply.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
optim: paged_adamw_8bit
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2},
  "optimizer": {"type": "AdamW", "params": {"lr": "auto"}}
}
```
Fires at `ds_config.json: optimizer.type`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
optim: paged_adamw_8bit
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2}
}
```

## References
- https://huggingface.co/docs/transformers/deepspeed#optimizer-and-scheduler
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import argument, deepspeed_file, filled_by_trainer
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

PLAIN_ADAM = ("adamw_torch", "adamw_torch_fused", "adamw_hf", "adamw_apex_fused", "adamw", "adam")
ADAM_NAMES = ("adam", "adamw")


@rule("OPT008", "optimizer-in-two-places", severity=WARNING, since="0.1", about=("optimizer",))
def optimizer_in_two_places(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading, asked = deepspeed_file(plan, job), argument(job, "optim")
    entry = reading.view.get("optimizer", "type") if reading is not None else None
    if reading is None or entry is None or not isinstance(asked.value, str) or not filled_by_trainer(job):
        return
    kind, wanted = entry.value, asked.value.strip().lower()
    if not isinstance(kind, str) or kind == "auto" or _same(kind.strip().lower(), wanted):
        return
    yield Finding(
        f"optimizer {kind} here decides, and optim {asked.value} ({asked.origin}) is not used",
        at_value(reading, entry),
        WARNING,
        confidence="certain" if job.consumer.certain else "assumed",
        help="Remove the optimizer block and the Trainer builds its own optimizer, or drop optim.",
        related=related(asked.place, f"optim is {asked.value} here"),
    )


def _same(kind: str, wanted: str) -> bool:
    return (kind in ADAM_NAMES and wanted in PLAIN_ADAM) or kind == wanted
