"""No memory figure is possible yet; a setting would unlock it.

## What it does
Says once a job which settings the state bytes a rank still need: the parameters of the model, or the number
of ranks.

## Why is this bad
Nothing is wrong with the file. Config files rarely name the model's size or the number of GPUs, and without
them shardlint reports no memory figure and no memory error.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "zero_optimization": {"stage": 3}
}
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
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.ledger.unlocking import unlocking
from shardlint.report import INFO, Finding, gib, listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.ledger import Ledger
    from shardlint.plan import TrainingPlan

SHARDED = ("deepspeed", "fsdp1", "fsdp2")


@rule("MEM006", "facts-missing", severity=INFO, since="0.1")
def facts_missing(plan: TrainingPlan, ledger: Ledger, job: Job) -> Iterator[Finding]:
    place = plan.strategy_place
    if (
        place is None
        or plan is not job.plans[0]
        or plan.framework.value not in SHARDED
        or ledger.states is not None
    ):
        return
    wanted = unlocking(plan)
    if not wanted:
        return
    shown = [f"{gib(figure.states)} over {figure.dp}" for figure in ledger.figures if figure.dp in (1, 8, 64)]
    table = f"; by ranks it is {listing(shown, 'and')}" if shown else ""
    yield Finding(
        f"{plan.label} state a rank is not known{table}: set {listing(wanted, 'and')}",
        place,
        INFO,
        help="In shardlint.toml under [facts], as --set NAME=VALUE, or as # shardlint: NAME=VALUE.",
    )
