"""A model, GPU or optimizer that is in no table.

## What it does
Reports names that no row and no alias of the tables has, with near ones, and, as a warning, the path of a
model that leads nowhere.

## Why is this bad
Figures that need the row stay unknown; stating them (`model.params`, `gpu.memory_gib`) works for any model
and card.

## Example
```toml shardlint.toml
[facts]
gpu.name = "A1000-80GB"
```
Fires at `shardlint.toml: facts.gpu.name`.

## Use instead
```toml shardlint.toml
[facts]
gpu.name = "A100-SXM4-80GB"
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from shardlint.settings import Settings


@rule("SET007", "name-in-no-table", severity=WARNING, since="0.1")
def name_in_no_table(settings: Settings) -> Iterable[Finding]:
    return settings.said("name-in-no-table")
