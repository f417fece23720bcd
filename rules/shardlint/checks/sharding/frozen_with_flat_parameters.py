"""Adapters are trained in flat parameters that also hold the frozen base.

## What it does
Reports `fsdp_use_orig_params: false` of FSDP version 1 for a model with adapters on a frozen base.

## Why is this bad
Without `use_orig_params` FSDP1 flattens all parameters of a unit into one, which is trainable or frozen as
a whole. A decoder layer with adapters mixes the two, and FSDP refuses it. The Trainer wraps adapters on
their own.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_use_orig_params: false
```
```toml shardlint.toml
[facts]
consumer = "accelerate"
model.lora = true
```
Fires at `accelerate.yaml: fsdp_config.fsdp_use_orig_params`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_use_orig_params: true
```
```toml shardlint.toml
[facts]
consumer = "accelerate"
model.lora = true
```

## References
- https://huggingface.co/docs/peft/accelerate/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import TRAINERS, is_off
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, runs
from shardlint.checks.support import at_value, related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan


@rule("SHD036", "frozen-with-flat-parameters", severity=WARNING, since="0.1", about=("use_orig_params",))
def frozen_with_flat_parameters(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading, adapters = job.reading("accelerate"), plan.option("model.lora")
    entry = fsdp_entry(reading, "use_orig_params") if reading is not None else None
    if reading is None or entry is None or not runs(reading, "FSDP") or plan.framework.value != "fsdp1":
        return
    if (
        adapters.value is not True
        or not is_off(entry)
        or job.consumer.value in TRAINERS
        or job.reading("hf-args")
    ):
        return
    yield Finding(
        f"fsdp_use_orig_params false with adapters on a frozen base ({adapters.origin}): FSDP refuses a "
        f"unit that "
        "mixes frozen and trainable parameters",
        at_value(reading, entry),
        WARNING,
        confidence="assumed",
        help="Set it to true, or wrap the adapters on their own with fsdp_auto_wrap_policy of peft.",
        related=related(adapters.place, "the adapters are stated here"),
    )
