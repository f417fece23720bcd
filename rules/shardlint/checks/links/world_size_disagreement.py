"""Two files of a job give different numbers of ranks.

## What it does
Compares the number of ranks each file of a job states: `num_processes` of accelerate, the slots of a
hostfile.

## Why is this bad
The launcher follows one of them. Every figure a rank, and the batch the run trains with, then differs from
what the other file says.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_machines: 2
num_processes: 8
deepspeed_config:
  deepspeed_hostfile: hostfile
  zero_stage: 3
```
```text hostfile
worker-0 slots=8
worker-1 slots=8
```
Fires at `accelerate.yaml: num_processes`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_machines: 2
num_processes: 16
deepspeed_config:
  deepspeed_hostfile: hostfile
  zero_stage: 3
```
```text hostfile
worker-0 slots=8
worker-1 slots=8
```

## References
- https://www.deepspeed.ai/getting-started/#resource-configuration-multi-node
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import from_settings
from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan


@rule("LNK003", "world-size-disagreement", severity=WARNING, since="0.1")
def world_size_disagreement(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    world = plan.world
    if world.place is None or world.place.path not in job.files:
        return
    for other in world.against:
        if other.place is not None and other.place.path in job.files and not from_settings(job, other):
            yield Finding(
                f"{world.value} ranks are started here, but another file gives {other.value} "
                f"({other.origin}); figures and batch follow {world.value}",
                world.place,
                WARNING,
                help="Make the two numbers equal.",
                related=related(other.place, f"{other.value} ranks are given here"),
            )
            return
