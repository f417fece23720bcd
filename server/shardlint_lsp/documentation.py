"""The documentation of a rule, as an editor shows it."""

from __future__ import annotations

import re
from functools import cache

from shardlint.checks.registry import Rule, find_rule

_LINK = re.compile(r"^- (https?://\S+)\s*$", re.MULTILINE)


def rule_page(rule: Rule) -> str:
    """All that is documented about a rule, in Markdown under its name."""
    return f"# {rule.name} ({rule.code})\n\n{rule.documentation}"


@cache
def rule_link(code: str) -> str | None:
    """Where the framework documents what a rule is about: the first of its references."""
    rule = find_rule(code)
    found = _LINK.search(rule.documentation) if rule else None
    return found.group(1) if found else None
