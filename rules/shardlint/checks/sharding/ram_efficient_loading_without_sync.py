"""Only rank 0 loads the weights, but they are not sent to the other ranks.

## What it does
Reports `fsdp_sync_module_states: false` where `fsdp_cpu_ram_efficient_loading` is true, its default in the
launcher.

## Why is this bad
With RAM-efficient loading the other ranks hold empty weights until rank 0 broadcasts its own. accelerate
refuses to launch without the broadcast, under both FSDP versions.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_cpu_ram_efficient_loading: true
  fsdp_sync_module_states: false
```
Fires at `accelerate.yaml: fsdp_config.fsdp_sync_module_states`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_cpu_ram_efficient_loading: true
  fsdp_sync_module_states: true
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import runs, written
from shardlint.checks.support import at_value, related, replace_value
from shardlint.report import ERROR
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "SHD014",
    "ram-efficient-loading-without-sync",
    severity=ERROR,
    since="0.1",
    fails_at="launch",
    about=("sync_module_states",),
)
def ram_efficient_loading_without_sync(reading: Reading, job: Job) -> Iterator[Finding]:
    if not runs(reading, "FSDP"):
        return
    sync, loading = written(reading, "sync_module_states"), written(reading, "cpu_ram_efficient_loading")
    if sync is None or sync.value not in (False, 0) or (loading is not None and not loading.value):
        return
    if loading is not None and isinstance(loading.value, Template):
        return
    name = loading.name if loading else "fsdp_cpu_ram_efficient_loading"
    stated = f"is {str(loading.value).lower()}" if loading else "is true by default"
    place = at_value(reading, sync)
    yield refused(
        f"{sync.name} is false while {name} {stated}; accelerate refuses to launch",
        place,
        "launch",
        loading is not None or job.settings.versions("accelerate").all_at_least("0.24"),
        help="Set fsdp_sync_module_states to true, or fsdp_cpu_ram_efficient_loading to false (unquoted).",
        related=related(at_value(reading, loading) if loading else None, "RAM-efficient loading is on here"),
        fixes=(replace_value("Set fsdp_sync_module_states to true", place, "true"),),
    )
