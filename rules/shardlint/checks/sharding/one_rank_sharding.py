"""ZeRO or FSDP is asked to shard over one rank.

## What it does
Reports ZeRO stage 1 to 3 and sharding FSDP strategies where the shard group is one rank and nothing is
offloaded. It is a note for ZeRO-1 and ZeRO-2, which then cost nothing.

## Why is this bad
One rank keeps 1/1 of every state: 16 bytes a parameter in mixed-precision Adam, as without sharding. ZeRO-3
and FSDP still gather and release every layer.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "zero_optimization": {"stage": 3}
}
```
```toml shardlint.toml
[facts]
world_size = 1
```
Fires at `ds_config.json: zero_optimization.stage`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}}
}
```
```toml shardlint.toml
[facts]
world_size = 1
```

## References
- https://deepspeed.readthedocs.io/en/latest/zero3.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.report import INFO, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.plan import TrainingPlan


@rule("SHD006", "one-rank-sharding", severity=WARNING, since="0.1")
def one_rank_sharding(plan: TrainingPlan) -> Iterator[Finding]:
    place = plan.strategy_place
    if place is None or plan.shard.value != 1 or not _shards(plan) or _offloads(plan):
        return
    gathers = plan.framework.value != "deepspeed" or plan.stage.value == 3
    known = plan.shard.certain and plan.offload_optimizer.known and plan.offload_param.known
    yield Finding(
        f"{plan.label} over 1 rank shards nothing ({plan.shard.origin}); every state stays on this GPU",
        place,
        WARNING if gathers and known else INFO,
        confidence="certain" if known else "assumed",
        help="Use more ranks, or offload_optimizer to take the FP32 states off the GPU.",
    )


def _shards(plan: TrainingPlan) -> bool:
    if plan.framework.value == "deepspeed":
        return plan.stage.get(0) > 0
    return (
        plan.framework.value in ("fsdp1", "fsdp2")
        and plan.strategy.value != "NO_SHARD"
        and plan.world.value == 1
    )


def _offloads(plan: TrainingPlan) -> bool:
    return plan.offload_optimizer.value in ("cpu", "nvme") or plan.offload_param.value in ("cpu", "nvme")
