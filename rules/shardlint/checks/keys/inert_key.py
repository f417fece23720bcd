"""A known key that nothing reads.

## What it does
Reports keys that are accepted and then never used: settings of an accelerate file that the launcher's
own defaults hide (`rdzv_backend`, `enable_cpu_affinity`, `downcast_bf16`, the NVMe paths of its
DeepSpeed block) and DeepSpeed keys without a reader. A key that states the default is left alone.

## Why is this bad
The setting has no effect, and nothing says so.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_machines: 2
num_processes: 16
mixed_precision: bf16
rdzv_backend: c10d
```
Fires at `accelerate.yaml: rdzv_backend`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_machines: 2
num_processes: 16
mixed_precision: bf16
rdzv_backend: static
```

## References
- https://huggingface.co/docs/accelerate/package_reference/cli
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.edits import delete_key
from shardlint.checks.keys.placed import known_keys
from shardlint.checks.registry import UNNECESSARY, rule
from shardlint.checks.support import at_key
from shardlint.formats.reading import is_open
from shardlint.report import INFO, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.schema import Key
    from shardlint.syntax.view import Value

NOTHING = (None, False, "", "no", "none", "None", "null", "false", "False")
"""Values that ask for nothing."""

WRITTEN_BY_ACCELERATE = ("same_network",)
"""`accelerate config` writes these into every file, so their value is nobody's wish."""


@rule("KEY010", "inert-key", severity=WARNING, since="0.1", tag=UNNECESSARY)
def inert_key(reading: Reading) -> Iterator[Finding]:
    for found, key in known_keys(reading):
        value = found.entry.value
        if key.effective != "nowhere" or key.when or key.replaced or key.name in WRITTEN_BY_ACCELERATE:
            continue
        if is_open(value) or value in NOTHING or _is_default(key, value):
            continue
        of_launcher = found.table.stack == "accelerate"
        yield Finding(
            f"{found.name} has no effect here: {_reason(of_launcher, key)}",
            at_key(reading, found.entry),
            WARNING if of_launcher else INFO,
            help=f"Pass --{found.name} to accelerate launch."
            if of_launcher and "nvme" not in key.name
            else None,
            fixes=delete_key(reading, found.entry, safe=True),
        )


def _reason(of_launcher: bool, key: Key) -> str:
    if not of_launcher:
        return key.meaning[0].lower() + key.meaning[1:].rstrip(".")
    if "nvme" in key.name:
        return "the launcher does not pass it on; name the path in a DeepSpeed JSON"
    return "the launcher's own default replaces what the file says"


def _is_default(key: Key, value: Value) -> bool:
    from json import loads

    try:
        return bool(value == loads(key.default))
    except ValueError:
        return bool(value == key.default)
