"""States, budgeted activations and reserve together exceed the GPU.

## What it does
Adds the state bytes a rank, `budget.activations` and `budget.reserve`, takes `budget.fragmentation` off the
memory of the GPU, and compares.

## Why is this bad
By your own figures the run does not fit. It is a warning, because activations and the gradients of the states
need not peak at the same moment.

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
model.params = "7B"
world_size = 8
gpu.memory_gib = 24
[budget]
activations = "12GiB"
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
model.params = "7B"
world_size = 8
gpu.memory_gib = 24
[budget]
activations = "8GiB"
```

## References
- https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.memory.figures import explained, gpu, settled
from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.report import WARNING, Finding, gib

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.ledger import Ledger
    from shardlint.plan import TrainingPlan


@rule("MEM004", "budget-exceeded", severity=WARNING, since="0.1")
def budget_exceeded(plan: TrainingPlan, ledger: Ledger, job: Job) -> Iterator[Finding]:
    place, capacity, states = plan.strategy_place, plan.gpu_bytes.value, ledger.states
    activations = plan.activations.value
    if place is None or capacity is None or states is None or activations is None or states > capacity:
        return
    if not settled(plan, job):
        return
    reserve, lost = plan.reserve.get(0), plan.fragmentation.get(0.0)
    usable = int(capacity * (1 - lost))
    needed = states + activations + reserve
    if needed <= usable:
        return
    kept = f" + reserve {gib(reserve)}" if reserve else ""
    room = f"{gib(usable)} of {gib(capacity)} usable" if lost else gib(capacity)
    yield Finding(
        f"{plan.label} state {gib(states)}/rank + activations {gib(activations)}{kept} = {gib(needed)}, but "
        f"{gpu(plan)} has {room}",
        place,
        WARNING,
        confidence="estimated",
        help=f"{explained(plan, ledger)} Gathered parameters, buckets and temporaries come on top.",
        related=related(plan.activations.place, f"activations are budgeted at {gib(activations)} here"),
        assumes=ledger.assumes,
    )
