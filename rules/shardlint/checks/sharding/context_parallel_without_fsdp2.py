"""Context parallelism runs without FSDP version 2.

## What it does
Reports a `parallelism_config` with `cp_size` above 1 in an accelerate file without FSDP, or with
`fsdp_version` 1.

## Why is this bad
accelerate builds context parallelism on the device mesh of FSDP version 2 and raises without it. Without
FSDP it lets it pass where the environment says ACCELERATE_ALLOW_CP_STANDALONE, which axolotl sets.

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

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import SEVERAL_DEVICES, at_kind, at_version, degree, fsdp_version
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

WITHOUT_FSDP = (*SEVERAL_DEVICES, "MEGATRON_LM")
READERS = ("accelerate", "hf-trainer", "trl")
"""Programs that are known not to set the variable that lets it pass."""


@rule(
    "SHD033",
    "context-parallel-without-fsdp2",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("parallelism_config_cp_size",),
)
def context_parallel_without_fsdp2(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("parallelism_config", "parallelism_config_cp_size")
    if reading.format.name != "accelerate" or entry is None or (degree(reading, "cp") or 0) < 2:
        return
    kind = reading.view.value("distributed_type")
    old = kind == "FSDP" and fsdp_version(reading, job) == 1
    if old or kind in WITHOUT_FSDP:
        what = "fsdp_version 1" if old else f"distributed_type {kind}"
        yield refused(
            f"cp_size {entry.value} with {what}; accelerate's context parallelism needs FSDP version 2",
            at_value(reading, entry),
            "config",
            old or (job.consumer.certain and job.consumer.value in READERS),
            related=at_version(reading) if old else at_kind(reading),
            help="Use distributed_type FSDP with fsdp_version: 2, or cp_size 1.",
            assumes=("nothing sets ACCELERATE_ALLOW_CP_STANDALONE",),
        )
