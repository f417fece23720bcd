"""Parallel sizes stand beside FSDP version 1.

## What it does
Reports a `parallelism_config` with a size above 1 in an accelerate file with distributed_type MEGATRON_LM, or
FSDP whose `fsdp_version` is 1, which it is where the file does not say.

## Why is this bad
Only version 2 shards over a device mesh, and Megatron has sizes of its own. accelerate refuses these when the
Accelerator is built.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  parallelism_config_dp_shard_size: 4
  parallelism_config_tp_size: 2
```
Fires at `accelerate.yaml: parallelism_config`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  parallelism_config_dp_shard_size: 4
  parallelism_config_tp_size: 2
```

## References
- https://huggingface.co/docs/accelerate/concept_guides/context_parallelism
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import at_kind, at_version, degrees, fsdp_entry, fsdp_version, runs
from shardlint.checks.support import at_key
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "SHD060",
    "parallel-sizes-under-fsdp1",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("parallelism_config", "fsdp_version"),
)
def parallel_sizes_under_fsdp1(reading: Reading, job: Job) -> Iterator[Finding]:
    section = reading.view.get("parallelism_config")
    sizes = degrees(reading, "dp_replicate", "dp_shard", "tp", "cp", "sp")
    old, megatron = runs(reading, "FSDP") and fsdp_version(reading, job) == 1, runs(reading, "MEGATRON_LM")
    if section is None or sizes is None or not (old or megatron):
        return
    above = [f"{name} {size}" for name, size in sizes.items() if size > 1]
    if prod(sizes.values()) == 1 or sizes["cp"] > 1:
        return
    said = "fsdp_version 1" if fsdp_entry(reading, "version") else "no fsdp_version, which is 1"
    clash = f"{said}; accelerate takes parallel sizes only with version 2 and"
    if megatron:
        clash = "distributed_type MEGATRON_LM, which has sizes of its own; accelerate"
    yield refused(
        f"parallelism_config gives {' x '.join(above)} beside {clash} refuses to start",
        at_key(reading, section),
        "config",
        True,
        help="Set fsdp_version: 2, or leave parallelism_config out."
        if old
        else "Use megatron_lm_tp_degree and its like, and leave parallelism_config out.",
        related=at_version(reading) if old else at_kind(reading),
    )
