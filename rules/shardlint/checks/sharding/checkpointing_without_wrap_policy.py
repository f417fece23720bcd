"""FSDP is to checkpoint activations, but no policy says of which layers.

## What it does
Reports `fsdp_activation_checkpointing: true` with `fsdp_auto_wrap_policy: NO_WRAP` or without a policy.

## Why is this bad
accelerate checkpoints what the wrap policy names. Without one, version 1 wraps every module, down to single
linear layers, and version 2 fails on the missing policy.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: NO_WRAP
  fsdp_activation_checkpointing: true
```
Fires at `accelerate.yaml: fsdp_config.fsdp_activation_checkpointing`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_activation_checkpointing: true
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_version, fsdp_word, runs
from shardlint.checks.support import at_value
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule(
    "SHD035",
    "checkpointing-without-wrap-policy",
    severity=WARNING,
    since="0.1",
    about=("activation_checkpointing",),
)
def checkpointing_without_wrap_policy(reading: Reading, job: Job) -> Iterator[Finding]:
    entry, policy = fsdp_entry(reading, "activation_checkpointing"), fsdp_entry(reading, "auto_wrap_policy")
    if not runs(reading, "FSDP") or entry is None or not is_on(entry) or job.reading("hf-args") is not None:
        return
    if policy is not None and fsdp_word(reading, "auto_wrap_policy") != "no_wrap":
        return
    version = fsdp_version(reading, job)
    if version is None:
        return
    then = (
        "every module is checkpointed on its own"
        if version == 1
        else "accelerate fails on the missing policy"
    )
    yield Finding(
        f"fsdp_activation_checkpointing without a wrap policy: {then}",
        at_value(reading, entry),
        WARNING,
        confidence="assumed",
        help="Set fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP with the decoder layer class.",
    )
