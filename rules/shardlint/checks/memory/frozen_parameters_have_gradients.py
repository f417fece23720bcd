"""Frozen parameters take gradient memory in a flat parameter.

## What it does
Notes FSDP version 1 with `use_orig_params` for a model that trains adapters on a frozen base.

## Why is this bad
FSDP1 flattens the parameters of a unit into one, frozen and trainable alike, and its gradient is as long as
the whole shard. Under version 2 and under DDP only trainable parameters have one.

## Example
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
model.lora = true
```
Fires at `accelerate.yaml: fsdp_config.fsdp_use_orig_params`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```
```toml shardlint.toml
[facts]
model.lora = true
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_off
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, runs
from shardlint.checks.support import at_value
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan


@rule("MEM030", "frozen-parameters-have-gradients", severity=INFO, since="0.1")
def frozen_parameters_have_gradients(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = job.reading("accelerate")
    if reading is None or not runs(reading, "FSDP") or plan.framework.value != "fsdp1":
        return
    entry, version = fsdp_entry(reading, "use_orig_params"), fsdp_entry(reading, "version")
    place = entry or version or reading.view.get("distributed_type")
    if plan.option("model.lora").value is not True or place is None or (entry is not None and is_off(entry)):
        return
    yield Finding(
        "under FSDP1 the gradient of a unit is as long as its whole shard, frozen parameters included",
        at_value(reading, place),
        INFO,
        help="fsdp_version 2 keeps gradients of the trainable parameters only.",
    )
