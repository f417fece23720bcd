"""The documentation of a rule, as an editor shows it."""

from __future__ import annotations

import re
from functools import cache

from shardlint.checks.registry import Rule, find_rule

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_SHORT = ("Why is this bad", "Use instead")
_LINK = re.compile(r"^- (https?://\S+)\s*$", re.MULTILINE)


def rule_summary(rule: Rule) -> str:
    """What the rule does, why, and what to write instead."""
    _, *pieces = _SECTION.split(rule.documentation)
    sections = {name: text.strip() for name, text in zip(pieces[::2], pieces[1::2], strict=True)}
    kept = [f"## {name}\n\n{sections[name]}" for name in _SHORT if name in sections]
    return "\n\n".join([f"# {rule.name} ({rule.code})", sections["What it does"], *kept])


@cache
def rule_link(code: str) -> str | None:
    """Where the framework documents what a rule is about: the first of its references."""
    rule = find_rule(code)
    found = _LINK.search(rule.documentation) if rule else None
    return found.group(1) if found else None
