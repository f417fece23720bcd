"""Fewer processes are started than the machines have GPUs.

## What it does
Compares `num_processes` of an accelerate file on several machines with the GPUs the settings give
(`nodes` x `gpus_per_node`).

## Why is this bad
accelerate counts the processes of all machines together, torchrun those of one. With the number of one
machine, most GPUs stay idle, and every figure a rank is that of the smaller job.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_machines: 4
num_processes: 8
```
```toml shardlint.toml
[facts]
gpus_per_node = 8
```
Fires at `accelerate.yaml: num_processes`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_machines: 4
num_processes: 32
```
```toml shardlint.toml
[facts]
gpus_per_node = 8
```

## References
- https://huggingface.co/docs/accelerate/basic_tutorials/launch
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import whole
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related, replace_value
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("RUN010", "fewer-processes-than-gpus", severity=WARNING, since="0.1", about=("num_processes",))
def fewer_processes_than_gpus(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("num_processes")
    total, gpus = whole(entry), job.settings.integer("gpus_per_node")
    machines = whole(reading.view.get("num_machines")) or job.settings.integer("nodes").value
    if reading.format.name != "accelerate" or entry is None or not total or not gpus.value or not machines:
        return
    if (
        machines < 2
        or total >= machines * gpus.value
        or reading.view.value("distributed_type") in ("NO", False)
    ):
        return
    place, full = at_value(reading, entry), machines * gpus.value
    yield Finding(
        f"num_processes {total} counts all {machines} machines: {total // machines} on each, which has "
        f"{gpus.value} "
        f"GPUs; all of them are {full}",
        place,
        WARNING,
        help=f"Set num_processes to {full} to use every GPU.",
        related=related(gpus.place, f"{gpus.value} GPUs a machine are given here"),
        fixes=(replace_value(f"Set num_processes to {full}", place, str(full)),),
    )
