"""ZeRO is asked to shard an optimizer it does not know.

## What it does
Reports a ZeRO stage above 0 with an optimizer outside DeepSpeed's list, from the file (`Lamb`, `SGD`,
`MuAdam` ...) or from the program (`code.optimizer`), without `zero_allow_untested_optimizer`.

## Why is this bad
ZeRO shards the states of Adam, AdamW, Adagrad, Lion and Muon. For any other optimizer DeepSpeed stops when
the engine is built and asks for the flag. accelerate sets it for optimizers made in code.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "optimizer": {"type": "Lamb", "params": {"lr": 1e-4}},
  "zero_optimization": {"stage": 2}
}
```
Fires at `ds_config.json: optimizer.type`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "optimizer": {"type": "Lamb", "params": {"lr": 1e-4}},
  "zero_optimization": {"stage": 2},
  "zero_allow_untested_optimizer": true
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#zero_allow_untested_optimizer
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.checks.files import deepspeed_file
from shardlint.checks.judging import HF_READERS, refused
from shardlint.checks.optimizer.stated import left_to_deepspeed, stated
from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import Fact, TrainingPlan
    from shardlint.report import Finding, Place

OUTSIDE = frozenset({"lamb", "muadam", "muadamw", "musgd"})
TORCH_OUTSIDE = frozenset(
    [
        "ASGD",
        "Adadelta",
        "Adafactor",
        "Adamax",
        "NAdam",
        "RAdam",
        "RMSprop",
        "Rprop",
        "SGD",
        "LBFGS",
        "SparseAdam",
    ]
)
TESTED = ("adam", "adamw", "adagrad", "fusedadam", "deepspeedcpuadam", "cpuadam", "muon", "muonwithauxadam")
OWN = ("torch", "deepspeed", "apex")
"""Packages whose Adam, AdamW, Adagrad and Lion are on the list."""


class Outside(NamedTuple):
    """An optimizer that is certainly outside the list, and who names it."""

    name: str
    fact: Fact[object] | Fact[str]
    in_file: bool


@rule(
    "OPT004",
    "untested-optimizer-under-zero",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("optimizer",),
)
def untested_optimizer_under_zero(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading, stage = deepspeed_file(plan, job), plan.stage
    if reading is None or not stage.value:
        return
    if reading.view.value("zero_allow_untested_optimizer") not in (None, False):
        return
    found = _outside(job)
    place = _place(found, plan) if found is not None else None
    if found is None or place is None:
        return
    name, source = found.name, found.fact
    yield refused(
        f"{name} ({source.origin}) is not among the optimizers ZeRO shards, here stage {stage.value}; "
        "DeepSpeed fails when the engine is built unless zero_allow_untested_optimizer is true",
        place,
        "engine",
        stage.certain and source.certain and (not found.in_file or left_to_deepspeed(job)),
        help='Set the top-level key "zero_allow_untested_optimizer" to true, or use AdamW.',
        related=related(stage.place, f"stage {stage.value} is given here") if found.in_file else (),
        assumes=("the optimizer is not certain",),
    )


def _place(found: Outside, plan: TrainingPlan) -> Place | None:
    """The name in the file; for an optimizer of the program, the stage that shards it."""
    return found.fact.place if found.in_file else plan.stage.place


def _outside(job: Job) -> Outside | None:
    from shardlint.formats.reading import given

    for found in stated(job):
        if found.name.lower() in OUTSIDE or found.name in TORCH_OUTSIDE:
            return Outside(found.name, given(found.reading.document, found.entry), True)
    client = job.settings.text("code.optimizer")
    hf = job.consumer.value in HF_READERS
    if client.value is None or hf or not job.consumer.known:
        return None
    package, _, name = client.value.strip().rpartition(".")
    foreign = bool(package) and package.split(".")[0].lower() not in OWN
    if name in TORCH_OUTSIDE or (foreign and name.lower() not in TESTED) or name.lower() in OUTSIDE:
        return Outside(client.value, client, False)
    return None
