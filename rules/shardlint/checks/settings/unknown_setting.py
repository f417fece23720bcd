"""A setting that shardlint does not have.

## What it does
Reports names in `shardlint.toml`, `[tool.shardlint]` and comment pragmas that are not in the table of
settings, with the name that was probably meant.

## Why is this bad
Nothing reads the setting, so the fact it was to state stays unknown and figures that rest on it stay away.

## Example
```toml shardlint.toml
[facts]
world_sise = 8
```
Fires at `shardlint.toml: facts.world_sise`.

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


@rule("SET001", "unknown-setting", severity=WARNING, since="0.1")
def unknown_setting(settings: Settings) -> Iterable[Finding]:
    return settings.said("unknown-setting")
