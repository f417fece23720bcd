"""A setting whose value cannot be what it says.

## What it does
Reports settings of the wrong type or out of their range; the setting is left out and all others apply.

## Why is this bad
A world size of zero or a model of "seven" parameters gives no figure, and leaving it out in silence would
look as if it had been used.

## Example
```toml shardlint.toml
[facts]
world_size = 0
```
Fires at `shardlint.toml: facts.world_size`.

## Use instead
```toml shardlint.toml
[facts]
world_size = 8
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from shardlint.settings import Settings


@rule("SET002", "wrong-setting-value", severity=WARNING, since="0.1")
def wrong_setting_value(settings: Settings) -> Iterable[Finding]:
    return settings.said("wrong-setting-value")
