"""A settings file that is no valid TOML.

## What it does
Reports each place where the settings file cannot be read. What can be read still applies.

## Why is this bad
The settings on that line are left out, so findings rest on less than the file says.

## Example
```toml shardlint.toml
[facts]
world_size = 8
sequence_length ==
```
Fires at the file `shardlint.toml`.

## Use instead
```toml shardlint.toml
[facts]
world_size = 8
sequence_length = 4096
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from shardlint.settings import Settings


@rule("SET004", "broken-settings-file", severity=WARNING, since="0.1")
def broken_settings_file(settings: Settings) -> Iterable[Finding]:
    return settings.said("broken-settings-file")
