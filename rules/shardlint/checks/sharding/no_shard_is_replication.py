"""FSDP with NO_SHARD shards nothing.

## What it does
Notes `fsdp_sharding_strategy: NO_SHARD` in an accelerate file.

## Why is this bad
Every rank keeps all states, as under DDP; PyTorch has deprecated the strategy and advises DDP.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_sharding_strategy: NO_SHARD
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```
Fires at `accelerate.yaml: fsdp_config.fsdp_sharding_strategy`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_sharding_strategy: FULL_SHARD
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```

## References
- https://docs.pytorch.org/docs/stable/fsdp.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_version, fsdp_word, runs
from shardlint.checks.support import at_value
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("SHD038", "no-shard-is-replication", severity=INFO, since="0.1", about=("sharding_strategy",))
def no_shard_is_replication(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = fsdp_entry(reading, "sharding_strategy")
    if not runs(reading, "FSDP") or entry is None or fsdp_version(reading, job) != 1:
        return
    if fsdp_word(reading, "sharding_strategy") in ("no_shard", "3") or entry.value == 3:
        yield Finding(
            "NO_SHARD keeps all states on every rank and is deprecated in PyTorch",
            at_value(reading, entry),
            INFO,
            help="Use distributed_type MULTI_GPU (DDP), or a strategy that shards.",
        )
