"""Context and sequence parallelism are both on.

## What it does
Reports a `parallelism_config` with `cp_size` and `sp_size` above 1.

## Why is this bad
Both cut the tokens of a sample over ranks, each in its own way. accelerate refuses the pair.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  parallelism_config_dp_shard_size: 2
  parallelism_config_cp_size: 2
  parallelism_config_sp_size: 2
```
Fires at `accelerate.yaml: parallelism_config.parallelism_config_sp_size`.

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

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import degree
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

SINCE = "1.12.0"
"""First accelerate release with sequence parallelism; it already refuses the pair."""


@rule(
    "SHD032",
    "context-and-sequence-parallel",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("parallelism_config_sp_size",),
)
def context_and_sequence_parallel(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name != "accelerate":
        return
    context, sequence = degree(reading, "cp"), degree(reading, "sp")
    entry = reading.view.get("parallelism_config", "parallelism_config_sp_size")
    if entry is None or (context or 0) < 2 or (sequence or 0) < 2:
        return
    yield refused(
        f"cp_size {context} and sp_size {sequence} exclude each other; accelerate refuses the sizes",
        at_value(reading, entry),
        "config",
        job.settings.versions("accelerate").all_at_least(SINCE),
        help="Set one of them to 1.",
        assumes=(f"accelerate {SINCE} or later",),
    )
