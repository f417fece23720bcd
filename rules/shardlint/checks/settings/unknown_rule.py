"""A rule name that no rule has.

## What it does
Reports names in `lint.select`, `lint.ignore`, `lint.severity`, `lint.per-file-ignores` and in comments
(`# shardlint: ignore[...]`) that are no rule's name, code or family.

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

from functools import cache
from typing import TYPE_CHECKING

from shardlint.checks.registry import all_rules, rule
from shardlint.report import WARNING, Finding
from shardlint.settings.lint import words_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.settings import Settings


@rule("SET006", "unknown-rule", severity=WARNING, since="0.1")
def unknown_rule(settings: Settings) -> Iterator[Finding]:
    ignored = (named for pragma in settings.suppressions for named in pragma.named)
    for named in (*settings.lint.named, *ignored):
        if named.word.strip().upper() not in _known():
            message = f"{named.word} is no rule of shardlint, so nothing is selected or silenced by it"
            yield Finding(message, named.place, WARNING)


@cache
def _known() -> frozenset[str]:
    """What rules are called by: asked only where somebody names one, because it imports them all."""
    return frozenset(word for one in all_rules() for word in words_for(one.code, one.name))
