"""A setting contradicts what a file of the job says.

## What it does
Compares facts of `shardlint.toml`, `[tool.shardlint]`, pragmas and the editor with the same values in the
files.

## Why is this bad
Settings fill in what files leave open; where both speak, the file wins, because it is what runs. The setting
is out of date, or the file is not the one that was meant. `--set` overrides a file on purpose and is not
reported.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  zero_stage: 3
```
```toml shardlint.toml
[facts]
world_size = 16
```
Fires at `accelerate.yaml: num_processes`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  zero_stage: 3
```
```toml shardlint.toml
[facts]
world_size = 8
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from shardlint.checks.files import from_settings
from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.plan import Fact
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

NAMES = {"world": "world size", "nodes": "number of nodes", "tensor": "tensor-parallel degree"}
NOT_COMPARED = frozenset({"batch_dp", "shard", "required_dp", "sequence_length", "optimizer"})
"""Degrees repeat the world size, a file's sequence length is a limit, code may replace an optimizer."""
LONGEST_UNGROUPED = 9999


@rule("LNK004", "fact-contradicts-file", severity=WARNING, since="0.1")
def fact_contradicts_file(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    for name, fact in _facts(plan):
        place = fact.place
        if place is None or place.path not in job.files:
            continue
        for other in fact.against:
            if not from_settings(job, other):
                continue
            words = NAMES.get(name, name.replace("_", " "))
            yield Finding(
                f"{words} is {_shown(fact)} here, but the settings say {_shown(other)} ({other.origin}); "
                "the file decides",
                place,
                WARNING,
                help="Correct the setting, or the file if it is the wrong one.",
                related=related(other.place, f"{words} {_shown(other)} is set here"),
            )
            break


def _facts(plan: TrainingPlan) -> Iterator[tuple[str, Fact[object]]]:
    for name, value in zip(plan._fields, plan, strict=True):
        if isinstance(value, Fact) and name not in NOT_COMPARED:
            yield name, cast("Fact[object]", value)


def _shown(fact: Fact[object]) -> str:
    value = fact.value
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}" if isinstance(value, int) and value > LONGEST_UNGROUPED else str(value)
