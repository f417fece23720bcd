"""The model states leave little of the GPU for everything else.

## What it does
Warns where the state bytes a rank take more than 70 % of the GPU and nobody has budgeted the activations.

## Why is this bad
What is left must hold activations, logits, gathered layers, communication buckets, the temporaries of the
optimizer step (another 4 bytes for each parameter of the partition), the CUDA context and NCCL (1 to 2 GiB)
and 6 to 12 % fragmentation. Runs that looked as if they fit by their states alone stop here.

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
model.params = "32B"
world_size = 7
gpu.name = "A100-SXM4-80GB"
```
Fires at `ds_config.json: zero_optimization.stage`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "zero_optimization": {"stage": 3}
}
```
```toml shardlint.toml
[facts]
model.params = "32B"
world_size = 16
gpu.name = "A100-SXM4-80GB"
```

## References
- https://arxiv.org/abs/1910.02054
- https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.memory.figures import explained, gpu, otherwise, settled
from shardlint.checks.registry import rule
from shardlint.report import WARNING, Finding, gib

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.ledger import Ledger
    from shardlint.plan import TrainingPlan

CLOSE = 0.7


@rule(
    "MEM003",
    "state-near-capacity",
    severity=WARNING,
    since="0.1",
    supersedes=("activations-not-budgeted",),
)
def state_near_capacity(plan: TrainingPlan, ledger: Ledger, job: Job) -> Iterator[Finding]:
    place, capacity, states = plan.strategy_place, plan.gpu_bytes.value, ledger.states
    if place is None or capacity is None or states is None or plan.activations.known:
        return
    if not settled(plan, job):
        return
    if not CLOSE * capacity < states <= capacity:
        return
    other = otherwise(plan)
    yield Finding(
        f"{plan.label} state is {gib(states)}/rank, {states / capacity:.0%} of {gpu(plan)}'s "
        f"{gib(capacity)}; activations, buckets and step temporaries have {gib(capacity - states)} left",
        place,
        WARNING,
        confidence="estimated",
        help=f"{explained(plan, ledger)} "
        + (f"{other}. " if other else "")
        + "Set budget.activations to what you measured and this is checked against it.",
        assumes=ledger.assumes,
    )
