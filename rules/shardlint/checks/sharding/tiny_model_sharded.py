"""All states of the model are small: sharding them saves next to nothing.

## What it does
Notes a sharded plan whose model states, unsharded, take less than 1 GiB a rank.

## Why is this bad
Sharding divides weights, gradients and optimizer states only. Where those are small, memory goes to
activations, which it does not touch, while every layer costs a gather.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
mixed_precision: bf16
num_processes: 4
fsdp_config:
  fsdp_version: 1
  fsdp_sharding_strategy: FULL_SHARD
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```
```toml shardlint.toml
[facts]
model.params = 12_500_000
```
Fires at `accelerate.yaml: fsdp_config.fsdp_sharding_strategy`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
mixed_precision: bf16
num_processes: 4
```
```toml shardlint.toml
[facts]
model.params = 12_500_000
```

## References
- https://docs.pytorch.org/tutorials/intermediate/FSDP_tutorial.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.report import GIB, INFO, Finding, gib

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.plan import TrainingPlan

BYTES = 16
"""Mixed-precision Adam: weights, gradients, FP32 master and both moments."""


@rule("SHD008", "tiny-model-sharded", severity=INFO, since="0.1")
def tiny_model_sharded(plan: TrainingPlan) -> Iterator[Finding]:
    params, place = plan.params.value, plan.strategy_place
    gathers = plan.framework.value in ("fsdp1", "fsdp2") or plan.stage.value == 3
    if params is None or place is None or not gathers or (plan.shard.value or 0) < 2 or params * BYTES >= GIB:
        return
    if plan.trainable.value is not None and plan.trainable.value != params:
        return
    yield Finding(
        f"all states of {params:,} params are {gib(params * BYTES)} unsharded; {plan.label} saves little, "
        "activations dominate",
        place,
        INFO,
        help="DDP needs no gathers; activation checkpointing is what shrinks the rest.",
    )
