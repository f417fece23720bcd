"""A memory size in decimal units.

## What it does
Reports sizes given in GB or MB. They are read as powers of ten, as written.

## Why is this bad
Cards, frameworks and this tool count memory in GiB (1024^3 bytes): 80 GB is 74.51 GiB, and the difference
can decide whether a plan fits.

## Example
```toml shardlint.toml
[budget]
activations = "20GB"
```
Fires at `shardlint.toml: budget.activations`.

## Use instead
```toml shardlint.toml
[budget]
activations = "20GiB"
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.report import HINT, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from shardlint.settings import Settings


@rule("SET003", "decimal-memory-unit", severity=HINT, since="0.1")
def decimal_memory_unit(settings: Settings) -> Iterable[Finding]:
    return settings.said("decimal-memory-unit")
