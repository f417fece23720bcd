"""A rule name that no rule has.

## What it does
Reports names in `lint.select`, `lint.ignore`, `lint.severity` and `lint.per-file-ignores` that are no rule's
name, code or family.

## Why is this bad
Nothing is selected or silenced by it, so the rule that was meant goes on as before.

## Example
```toml shardlint.toml
[lint]
ignore = ["activations-not-budgetted"]
```
Fires at `shardlint.toml: lint.ignore[0]`.

## Use instead
```toml shardlint.toml
[lint]
ignore = ["activations-not-budgeted"]
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import all_rules, rule
from shardlint.report import WARNING, Finding
from shardlint.settings.lint import names_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.settings import Settings


@rule("SET006", "unknown-rule", severity=WARNING, since="0.1")
def unknown_rule(settings: Settings) -> Iterator[Finding]:
    for named in settings.lint.named:
        if not any(names_rule(named.word, known.code, known.name) for known in all_rules()):
            message = f"{named.word} is no rule of shardlint, so nothing is selected or silenced by it"
            yield Finding(message, named.place, WARNING)
