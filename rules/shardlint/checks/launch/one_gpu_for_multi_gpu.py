"""`distributed_type: MULTI_GPU` on one machine names a single GPU.

## What it does
Reports an accelerate file with a `MULTI_*` type, one machine, and one id in `gpu_ids`.

## Why is this bad
accelerate raises "Less than two GPU ids were configured" before anything starts.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
gpu_ids: '0'
num_machines: 1
num_processes: 1
```
Fires at `accelerate.yaml: gpu_ids`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: 'NO'
gpu_ids: '0'
num_machines: 1
num_processes: 1
```

## References
- https://huggingface.co/docs/accelerate/package_reference/cli#accelerate-launch
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused, whole
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

MULTI = frozenset(
    f"MULTI_{device}" for device in ("GPU", "NPU", "MLU", "SDAA", "MUSA", "XPU", "HPU", "NEURON")
)


@rule("RUN003", "one-gpu-for-multi-gpu", severity=ERROR, since="0.1", fails_at="launch", about=("gpu_ids",))
def one_gpu_for_multi_gpu(reading: Reading) -> Iterator[Finding]:
    kind, ids = reading.view.get("distributed_type"), reading.view.get("gpu_ids")
    machines = reading.view.get("num_machines")
    if reading.format.name != "accelerate" or kind is None or ids is None:
        return
    if not isinstance(kind.value, str) or kind.value not in MULTI:
        return
    if machines is not None and whole(machines) not in (0, 1):
        return
    if not isinstance(ids.value, str) or ids.value == "all" or "," in ids.value:
        return
    yield refused(
        f"gpu_ids {ids.value} names one GPU, but distributed_type {kind.value} needs two on one machine; "
        "accelerate refuses to launch",
        at_value(reading, ids),
        "launch",
        True,
        help="Name at least two GPUs or all, or use distributed_type: 'NO'.",
        related=related(at_value(reading, kind), f"{kind.value} is set here"),
    )
