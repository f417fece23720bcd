"""FSDP version 2 runs with a device mesh that has no shard dimension.

## What it does
Reports `fsdp_version: 2` with a `parallelism_config` whose `dp_shard` and `cp` sizes are both 1 while another
size is above 1. Where all are 1 there is no mesh, and version 2 shards over all ranks.

## Why is this bad
Version 2 shards parameters over the `dp_shard` (and `cp`) dimension of the mesh. Without one accelerate
raises a ValueError; releases before 1.15 fail with a KeyError for `dp_shard` when the model is prepared.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 2
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  parallelism_config_dp_shard_size: 1
  parallelism_config_tp_size: 2
```
Fires at `accelerate.yaml: parallelism_config.parallelism_config_dp_shard_size`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 2
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  parallelism_config_dp_shard_size: 2
  parallelism_config_tp_size: 1
```

## References
- https://huggingface.co/docs/accelerate/package_reference/parallelism
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import degrees, fsdp_version, runs
from shardlint.checks.support import at_missing, at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

CHECKED_SINCE = "1.15.0"
"""The first accelerate that looks when the Accelerator is built; older ones fail on the model."""

SHARD = "parallelism_config_dp_shard_size"


@rule(
    "SHD010",
    "fsdp2-without-shard-dimension",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("parallelism_config",),
)
def fsdp2_without_shard_dimension(reading: Reading, job: Job) -> Iterator[Finding]:
    if not runs(reading, "FSDP") or fsdp_version(reading, job) != 2:
        return
    section = reading.view.get("parallelism_config")
    sizes = degrees(reading, "dp_replicate", "dp_shard", "tp", "cp", "sp")
    if section is None or not section.value or sizes is None or max(sizes["dp_shard"], sizes["cp"]) > 1:
        return
    others = ", ".join(f"{name} {size}" for name, size in sizes.items() if size > 1)
    if prod(sizes.values()) == 1:
        return
    entry = reading.view.get("parallelism_config", SHARD)
    yield refused(
        f"dp_shard size is 1 beside {others}: fsdp_version 2 finds no dimension to shard over and refuses "
        "the model",
        at_value(reading, entry) if entry else at_missing(reading, section, SHARD),
        "config" if job.settings.versions("accelerate").all_at_least(CHECKED_SINCE) else "engine",
        True,
        help="Give dp_shard at least 2 ranks, or train without FSDP (distributed_type: MULTI_GPU).",
    )
