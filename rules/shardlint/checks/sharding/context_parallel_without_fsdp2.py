"""Context parallelism runs without FSDP version 2.

## What it does
Reports a `parallelism_config` with `cp_size` above 1 in an accelerate file without FSDP, or with
`fsdp_version` 1.

## Why is this bad
accelerate builds context parallelism on the device mesh of FSDP version 2 and raises without it, unless the
environment says ACCELERATE_ALLOW_CP_STANDALONE.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  parallelism_config_dp_shard_size: 4
  parallelism_config_cp_size: 2
```
Fires at `accelerate.yaml: parallelism_config.parallelism_config_cp_size`.

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
  parallelism_config_cp_size: 2
```

## References
- https://huggingface.co/docs/accelerate/concept_guides/context_parallelism
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import degree, fsdp_version, runs
from shardlint.checks.support import at_value
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading


@rule(
    "SHD033",
    "context-parallel-without-fsdp2",
    severity=WARNING,
    since="0.1",
    about=("parallelism_config_cp_size",),
)
def context_parallel_without_fsdp2(reading: Reading) -> Iterator[Finding]:
    entry = reading.view.get("parallelism_config", "parallelism_config_cp_size")
    if reading.format.name != "accelerate" or entry is None or (degree(reading, "cp") or 0) < 2:
        return
    old = runs(reading, "FSDP") and fsdp_version(reading) == 1
    if old or runs(reading, "MULTI_GPU"):
        what = "fsdp_version 1" if old else "distributed_type MULTI_GPU"
        yield Finding(
            f"cp_size {entry.value} with {what}; accelerate's context parallelism needs FSDP version 2",
            at_value(reading, entry),
            WARNING,
            confidence="assumed",
            help="Use distributed_type FSDP with fsdp_version: 2, or cp_size 1.",
        )
