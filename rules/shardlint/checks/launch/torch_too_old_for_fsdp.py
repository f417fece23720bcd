"""The FSDP version needs a newer PyTorch.

## What it does
Reports `fsdp_version: 2` with a PyTorch before 2.6.

## Why is this bad
Version 2 of FSDP, `fully_shard`, has the interface accelerate uses from PyTorch 2.6 on. accelerate refuses
to start with an older one.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```
```toml shardlint.toml
[facts]
versions.torch = "2.4.1"
```
Fires at `accelerate.yaml: fsdp_config.fsdp_version`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```
```toml shardlint.toml
[facts]
versions.torch = "2.4.1"
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_version, runs
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

NEEDED, NEEDED_BY_1_6 = "2.6.0", "2.5.1"
"""PyTorch release accelerate asks for; accelerate 1.6 was content with the second."""


@rule("RUN013", "torch-too-old-for-fsdp", severity=ERROR, since="0.1", fails_at="config", about=("fsdp",))
def torch_too_old_for_fsdp(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = fsdp_entry(reading, "version")
    if not runs(reading, "FSDP") or entry is None or fsdp_version(reading, job) != 2:
        return
    torch = job.settings.versions("torch")
    if torch.none_at_least(NEEDED):
        yield refused(
            f"fsdp_version 2 needs PyTorch {NEEDED}, here {torch.text}; accelerate refuses to start",
            at_value(reading, entry),
            "config",
            torch.none_at_least(NEEDED_BY_1_6) and torch.fact.certain,
            help=f"Use PyTorch {NEEDED} or later, or fsdp_version: 1.",
            assumes=("accelerate 1.7 or later",),
        )
