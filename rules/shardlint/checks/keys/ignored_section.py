"""A section of an accelerate file belongs to another distributed_type.

## What it does
Reports `fsdp_config`, `deepspeed_config` and `megatron_lm_config` that hold settings while
`distributed_type` names another way to run, and `fp8_config` without `mixed_precision: fp8`. Empty
sections, which `accelerate config` writes itself, are left alone.

## Why is this bad
The launcher reads only the section of its distributed_type, so none of the settings counts.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_processes: 8
mixed_precision: bf16
fsdp_config:
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_sharding_strategy: FULL_SHARD
```
Fires at `accelerate.yaml: fsdp_config`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
mixed_precision: bf16
fsdp_config:
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_sharding_strategy: FULL_SHARD
```

## References
- https://huggingface.co/docs/accelerate/package_reference/cli
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.activity import ruled_out
from shardlint.checks.keys.edits import delete_key
from shardlint.checks.keys.placed import known_keys
from shardlint.checks.keys.reader import remark
from shardlint.checks.registry import UNNECESSARY, rule
from shardlint.checks.support import at_key
from shardlint.report import WARNING
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.syntax.view import Value


SECTIONS = ("fsdp_config", "deepspeed_config", "megatron_lm_config", "fp8_config")


@rule("KEY009", "ignored-section", severity=WARNING, since="0.1", tag=UNNECESSARY)
def ignored_section(reading: Reading) -> Iterator[Finding]:
    for found, key in known_keys(reading):
        stated = ruled_out(reading, key) if found.name in SECTIONS else None
        value = found.entry.value
        if not stated or not isinstance(value, dict) or all(map(_says_nothing, value.values())):
            continue
        switch, _, wanted = key.effective.partition(" ")
        yield remark(
            f"{found.name} is only read with {switch} {wanted}; here it is {stated}, so none of it counts",
            at_key(reading, found.entry),
            help=f"Set {switch} to {wanted}, or delete the section.",
            fixes=delete_key(reading, found.entry, safe=False),
        )


def _says_nothing(value: Value) -> bool:
    return value is None or isinstance(value, Template) or value in ("", {}, [])
