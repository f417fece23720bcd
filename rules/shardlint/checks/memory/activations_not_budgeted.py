"""The model states are known, the activations are not accounted for.

## What it does
Says what weights, gradients and optimizer states take on each rank, where parameters and the shard degree are
known, and that nothing yet accounts for activations. A budget (`budget.activations`) silences it.

## Why is this bad
ZeRO and FSDP divide states, not activations: those grow with sequence length and micro batch and are the same
on every rank. A state that fits is a lower bound, not a run that fits. Gathered parameters, buckets,
temporaries, the CUDA context and fragmentation come on top as well.

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
[budget]
activations = "20GiB"
```

## References
- https://arxiv.org/abs/1910.02054
- https://arxiv.org/abs/2205.05198
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.memory.figures import confidence, explained, held
from shardlint.checks.registry import rule
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.ledger import Ledger
    from shardlint.plan import TrainingPlan


@rule("MEM001", "activations-not-budgeted", severity=INFO, since="0.1")
def activations_not_budgeted(plan: TrainingPlan, ledger: Ledger) -> Iterator[Finding]:
    place = plan.strategy_place
    if place is None or ledger.states is None or plan.activations.known:
        return
    yield Finding(
        f"{plan.label} state is {held(ledger)} but activations not budgeted",
        place,
        INFO,
        confidence=confidence(ledger),
        help=f"{explained(plan, ledger)} Activations, gathered parameters, buckets, temporaries and the CUDA "
        "context come on top; set budget.activations to what you measured.",
        assumes=ledger.assumes,
    )
