"""Checkpointed activations are to be offloaded, but nothing checkpoints them.

## What it does
Reports `fsdp_activation_checkpointing_offload: true` without `fsdp_activation_checkpointing: true`, or with
`fsdp_version` 1.

## Why is this bad
The offload moves the inputs of checkpointed layers to the host. accelerate refuses it without checkpointing
and under version 1.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_activation_checkpointing_offload: true
```
Fires at `accelerate.yaml: fsdp_config.fsdp_activation_checkpointing_offload`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_activation_checkpointing: true
  fsdp_activation_checkpointing_offload: true
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_off, is_on, refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_version, runs
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

SINCE = "1.15.0"
"""First accelerate release that reads the key."""


@rule(
    "SHD031",
    "activation-offload-without-checkpointing",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("activation_checkpointing_offload",),
)
def activation_offload_without_checkpointing(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = fsdp_entry(reading, "activation_checkpointing_offload")
    versions = job.settings.versions("accelerate")
    if not runs(reading, "FSDP") or entry is None or not is_on(entry) or versions.none_at_least(SINCE):
        return
    own, version = fsdp_entry(reading, "activation_checkpointing"), fsdp_version(reading, job)
    missing = own is None or is_off(own)
    if not missing and version != 1:
        return
    need = "fsdp_activation_checkpointing: true" if missing else "fsdp_version: 2"
    yield refused(
        f"fsdp_activation_checkpointing_offload needs {need}; accelerate refuses to start",
        at_value(reading, entry),
        "config",
        versions.all_at_least(SINCE),
        help=f"Set {need}, or leave the offload out.",
        assumes=(f"accelerate {SINCE} or later",),
    )
