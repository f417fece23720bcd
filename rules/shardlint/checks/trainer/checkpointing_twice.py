"""Activations are checkpointed by the Trainer and by FSDP.

## What it does
Reports `gradient_checkpointing: true` of the training arguments together with `activation_checkpointing:
true` of the FSDP section.

## Why is this bad
The two wrap the same layers. The Trainer raises "can't be set to True simultaneously" when it makes the
accelerator.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
gradient_checkpointing: true
fsdp: full_shard auto_wrap
fsdp_config:
  activation_checkpointing: true
```
Fires at `train.yaml: gradient_checkpointing`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
gradient_checkpointing: false
fsdp: full_shard auto_wrap
fsdp_config:
  activation_checkpointing: true
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.checks.trainer.checkpointing import asked_by_trainer, asked_of_fsdp
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding


@rule(
    "TRN008", "checkpointing-twice", severity=ERROR, since="0.1", fails_at="engine", about=("checkpointing",)
)
def checkpointing_twice(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    found, own = asked_by_trainer(job), asked_of_fsdp(job)
    if found is None or own is None or not is_on(own.entry):
        return
    if plan.framework.value not in ("fsdp1", "fsdp2"):
        return
    yield refused(
        f"{found.entry.name} and {own.entry.name} of the FSDP section are both true; the Trainer refuses "
        f"to start",
        at_value(found.reading, found.entry),
        "engine",
        True,
        help=f"Keep the one of the FSDP section and set {found.entry.name}: false.",
        related=related(at_value(own.reading, own.entry), "the FSDP section checkpoints here"),
    )
