"""All there is to say about a rule, a key or a setting, in Markdown: one text for every front end."""

from __future__ import annotations

from shardlint.checks.registry import Rule, all_rules, find_rule


def explanation(word: str) -> str:
    """The text about a rule, by code or name, else a key or a setting; empty where none is called so."""
    if not word.strip():
        return ""
    rule = find_rule(word)
    if rule is not None:
        return rule_text(rule)
    from shardlint.explain.keys import explained

    return "\n\n".join(explained(word))


def rule_text(rule: Rule) -> str:
    fails = f"; a run fails at: {rule.fails_at}" if rule.fails_at else ""
    return (
        f"# {rule.code} {rule.name}\n\n{rule.documentation}\n\n"
        f"Highest severity: {rule.severity.word}{fails}. Since {rule.since}."
    )


def nearest(word: str) -> str | None:
    """The rule, key or setting whose name is most like a word that is none of them."""
    from difflib import get_close_matches

    from shardlint.explain.keys import known_names

    rules = [name for rule in all_rules() for name in (rule.name, rule.code.lower())]
    return next(iter(get_close_matches(word.lower(), [*rules, *known_names()], n=1)), None)
