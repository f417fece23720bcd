"""`fsdp_reshard_after_forward` stands in a config of FSDP version 1.

## What it does
Reports `fsdp_reshard_after_forward` under `fsdp_version` 1 (the default) where it asks for something other
than the sharding strategy in force.

## Why is this bad
Under version 1 the launcher always exports a sharding strategy, `FULL_SHARD` where none is written, and that
one wins. The strategy named here is ignored without a message.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_reshard_after_forward: SHARD_GRAD_OP
```
Fires at `accelerate.yaml: fsdp_config.fsdp_reshard_after_forward`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_sharding_strategy: SHARD_GRAD_OP
```

## References
- https://huggingface.co/docs/accelerate/concept_guides/fsdp1_vs_fsdp2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_version, fsdp_word, runs
from shardlint.checks.support import at_key, at_value, related
from shardlint.report import WARNING, Finding
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading

SAME = {True: "full_shard", False: "shard_grad_op"}


@rule("SHD004", "fsdp2-key-under-fsdp1", severity=WARNING, since="0.1", about=("reshard_after_forward",))
def fsdp2_key_under_fsdp1(reading: Reading, job: Job) -> Iterator[Finding]:
    if not runs(reading, "FSDP") or fsdp_version(reading, job) != 1:
        return
    entry, strategy = fsdp_entry(reading, "reshard_after_forward"), fsdp_entry(reading, "sharding_strategy")
    if (
        entry is None
        or isinstance(entry.value, Template)
        or (strategy and fsdp_word(reading, "sharding_strategy") is None)
    ):
        return
    in_force = (fsdp_word(reading, "sharding_strategy") or "full_shard").upper()
    asked = SAME[entry.value] if isinstance(entry.value, bool) else str(entry.value).lower()
    if asked == in_force.lower():
        return
    yield Finding(
        f"{entry.name} {asked.upper()} has no effect with fsdp_version 1; the run shards by {in_force}",
        at_key(reading, entry),
        WARNING,
        help=f"Write fsdp_sharding_strategy: {asked.upper()}, or fsdp_version: 2 with a boolean here.",
        related=related(at_value(reading, strategy) if strategy else None, f"{in_force} is set here"),
    )
