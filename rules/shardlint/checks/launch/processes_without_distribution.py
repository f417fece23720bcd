"""Several processes are asked for, but `distributed_type` starts one.

## What it does
Reports an accelerate file with `distributed_type: NO` (quoted or not) and `num_processes` above 1.

## Why is this bad
`NO` is the simple launcher: it starts a single process whatever `num_processes` says. The run trains on one
GPU with the batch of one rank, and nothing is sharded.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: 'NO'
num_machines: 1
num_processes: 8
```
Fires at `accelerate.yaml: distributed_type`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_machines: 1
num_processes: 8
```

## References
- https://huggingface.co/docs/accelerate/package_reference/cli#accelerate-config
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import whole
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading


@rule("RUN002", "processes-without-distribution", severity=WARNING, since="0.1", about=("num_processes",))
def processes_without_distribution(reading: Reading) -> Iterator[Finding]:
    kind, entry = reading.view.get("distributed_type"), reading.view.get("num_processes")
    count = whole(entry)
    if reading.format.name != "accelerate" or kind is None or entry is None or count is None or count < 2:
        return
    if kind.value in ("NO", False):
        yield Finding(
            f"distributed_type NO starts one process, so that num_processes {count} has no effect",
            at_value(reading, kind),
            WARNING,
            help="Use MULTI_GPU, DEEPSPEED or FSDP to start several processes, or set num_processes to 1.",
            related=related(at_value(reading, entry), f"{count} processes are asked for here"),
        )
