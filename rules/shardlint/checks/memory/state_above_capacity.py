"""The model states alone exceed the memory of the GPU.

## What it does
Compares the state bytes a rank, unpadded and with the gradients held, with the memory of the GPU as the
framework reports it. It is an error where parameters, ranks, precision and optimizer are all known and the
states exceed even the nominal size of the card: totals differ a little between cards of one name.

## Why is this bad
The states are a lower bound of what the first optimizer step holds, so that it runs out of memory whatever
the batch size is. Activations, buckets and the CUDA context come on top. ZeRO over one rank divides by one.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}},
  "zero_optimization": {"stage": 3}
}
```
```toml shardlint.toml
[facts]
model.params = "7B"
world_size = 1
gpu.name = "A100-SXM4-80GB"
```
Fires at `ds_config.json: zero_optimization.stage`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}},
  "zero_optimization": {"stage": 3}
}
```
```toml shardlint.toml
[facts]
model.params = "7B"
world_size = 8
gpu.name = "A100-SXM4-80GB"
```

## References
- https://arxiv.org/abs/1910.02054
- https://www.deepspeed.ai/docs/config-json/#optimizer-offloading
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import certain, refused
from shardlint.checks.memory.figures import explained, gpu, most_memory, otherwise, settled
from shardlint.checks.registry import rule
from shardlint.report import ERROR, gib

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.ledger import Ledger
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding


@rule(
    "MEM002",
    "state-above-capacity",
    severity=ERROR,
    since="0.1",
    fails_at="first step",
    supersedes=("one-rank-sharding", "activations-not-budgeted"),
)
def state_above_capacity(plan: TrainingPlan, ledger: Ledger, job: Job) -> Iterator[Finding]:
    place, capacity, states = plan.strategy_place, plan.gpu_bytes.value, ledger.states
    if place is None or capacity is None or states is None or states <= capacity:
        return
    if not settled(plan, job):
        return
    split = " and DP 1 shards nothing" if plan.world.value == 1 else ""
    other, doubt = otherwise(plan), _doubt(plan, states)
    yield refused(
        f"{plan.label} state is {gib(states)}/rank but {gpu(plan)} has {gib(capacity)}{split}; the first "
        "step runs out of memory",
        place,
        "first step",
        not doubt and _sure(plan, ledger),
        help=f"{explained(plan, ledger)} Activations come on top. "
        + (f"{other}; " if other else "")
        + "more ranks, optimizer offload or LoRA lower it.",
        assumes=(*ledger.assumes, *doubt),
    )


def _doubt(plan: TrainingPlan, states: int) -> tuple[str, ...]:
    """What speaks against a figure that lies between the lowest total seen and the nominal size."""
    most = most_memory(plan)
    return () if states > most else (f"no card of this name gives more, though its size is {gib(most)}",)


def _sure(plan: TrainingPlan, ledger: Ledger) -> bool:
    """Whether nothing is assumed. What a partial offload leaves on the GPU depends on the shapes."""
    known = certain(plan.params, plan.shard, plan.gpu_bytes, plan.precision, plan.optimizer)
    return known and not ledger.assumes and not plan.option("offload_optimizer.ratio").known
