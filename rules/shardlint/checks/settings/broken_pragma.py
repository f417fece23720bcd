"""A comment pragma that cannot be read.

## What it does
Reports `# shardlint: ...` comments that are neither `NAME=VALUE` facts nor `ignore[RULE]`.

## Why is this bad
The pragma has no effect: the fact is not stated, or the finding is not silenced.

## Example
```yaml accelerate.yaml
# shardlint: world size is 8
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_processes: 8
```
Fires at the file `accelerate.yaml`.

## Use instead
```yaml accelerate.yaml
# shardlint: world_size=8
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_processes: 8
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from shardlint.settings import Settings


@rule("SET005", "broken-pragma", severity=WARNING, since="0.1")
def broken_pragma(settings: Settings) -> Iterable[Finding]:
    return settings.said("broken-pragma")
