"""A key of FSDP version 1 stands in a config of version 2.

## What it does
Reports `fsdp_sharding_strategy`, `fsdp_use_orig_params`, `fsdp_sync_module_states`, `fsdp_forward_prefetch`
and `fsdp_backward_prefetch` where `fsdp_version` is 2. A value that version 2 has anyway is only a note.

## Why is this bad
Version 2 does not read these keys. What `SHARD_GRAD_OP` asks for is lost: parameters are resharded after the
forward pass unless `fsdp_reshard_after_forward` says otherwise.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_sharding_strategy: SHARD_GRAD_OP
```
Fires at `accelerate.yaml: fsdp_config.fsdp_sharding_strategy`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_reshard_after_forward: false
```

## References
- https://huggingface.co/docs/accelerate/concept_guides/fsdp1_vs_fsdp2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, word
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_version, runs
from shardlint.checks.support import at_key, spelt
from shardlint.report import INFO, WARNING, Finding
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.syntax.view import Entry

INSTEAD = {
    "sharding_strategy": "Write fsdp_reshard_after_forward: true for FULL_SHARD, false for SHARD_GRAD_OP.",
    "use_orig_params": "Delete it: version 2 always keeps the original parameters.",
    "sync_module_states": "Delete it: version 2 broadcasts the states where fsdp_cpu_ram_efficient_loading "
    "is on.",
    "forward_prefetch": "Delete it: version 2 decides the prefetch itself.",
    "backward_prefetch": "Delete it: version 2 decides the prefetch itself.",
}


@rule("SHD003", "fsdp1-key-under-fsdp2", severity=WARNING, since="0.1", about=("fsdp",))
def fsdp1_key_under_fsdp2(reading: Reading, job: Job) -> Iterator[Finding]:
    if not runs(reading, "FSDP") or fsdp_version(reading, job) != 2:
        return
    for name, instead in INSTEAD.items():
        entry = fsdp_entry(reading, name)
        if entry is None:
            continue
        yield Finding(
            f"{entry.name} {spelt(entry)} has no effect with fsdp_version 2",
            at_key(reading, entry),
            INFO if _changes_nothing(name, entry) else WARNING,
            help=instead,
        )


def _changes_nothing(name: str, entry: Entry) -> bool:
    """Whether version 2 behaves as the key asks, so that ignoring it loses nothing."""
    if isinstance(entry.value, Template):
        return name != "sharding_strategy"
    if name in ("use_orig_params", "sync_module_states"):
        return is_on(entry)
    if name == "backward_prefetch":
        return word(entry) == "backward_pre"
    return name == "forward_prefetch" and not is_on(entry)
