"""The Trainer's gradient checkpointing is used under FSDP full sharding.

## What it does
Reports `gradient_checkpointing: true` in training arguments of a run that FSDP shards fully, where the FSDP
section does not checkpoint activations itself.

## Why is this bad
The Trainer wraps the model's own layers, inside the FSDP units. In the backward pass FSDP then gathers the
parameters of a unit once more for the second forward pass. The `activation_checkpointing` of the FSDP
section wraps the units and does without the extra all-gather; transformers logs the same advice.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
gradient_checkpointing: true
fsdp: full_shard auto_wrap
fsdp_config:
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
```
Fires at `train.yaml: gradient_checkpointing`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
gradient_checkpointing: false
fsdp: full_shard auto_wrap
fsdp_config:
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
  activation_checkpointing: true
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.checks.trainer.checkpointing import REGATHERS, asked_by_trainer, asked_of_fsdp
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan


@rule("TRN007", "gradient-checkpointing-under-fsdp", severity=WARNING, since="0.1", about=("checkpointing",))
def gradient_checkpointing_under_fsdp(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    found, own = asked_by_trainer(job), asked_of_fsdp(job)
    if found is None or (own is not None and not _off(own.entry)):
        return
    full = plan.strategy.value in REGATHERS if plan.framework.value == "fsdp1" else plan.reshard.value is True
    if plan.framework.value not in ("fsdp1", "fsdp2") or not full:
        return
    section = "fsdp_activation_checkpointing" if job.reading("accelerate") else "activation_checkpointing"
    yield Finding(
        f"{found.entry.name} under {plan.label} gathers every unit once more in the backward pass; "
        "activation_checkpointing of the FSDP section checkpoints without that",
        at_value(found.reading, found.entry),
        WARNING,
        confidence="certain" if plan.framework.certain else "assumed",
        help=f"Set {section}: true in the FSDP section and {found.entry.name}: false here.",
        related=related(plan.strategy_place, f"{plan.label} is chosen here"),
    )


def _off(entry: object) -> bool:
    from shardlint.syntax.view import Entry

    return isinstance(entry, Entry) and not is_on(entry) and isinstance(entry.value, bool | None)
