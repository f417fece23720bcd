"""What is wrong with the settings themselves: said once, wherever they are used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shardlint.checks.registry import Rule, all_rules
from shardlint.report import Finding, Place
from shardlint.settings import Settings, names_rule
from shardlint.settings.problems import problem

UNKNOWN_RULE = ("SET006", "unknown-rule")


def settings_findings(
    by_file: Iterable[Settings], by_job: Iterable[Settings], rules: Sequence[Rule]
) -> list[Finding]:
    """Problems of every settings object in use, each once."""
    found: dict[tuple[object, ...], Finding] = {}
    for settings in (*by_file, *by_job):
        for finding in (*settings.problems, *_unknown_rules(settings)):
            found.setdefault((finding.place.path, finding.place.span, finding.message), finding)
    return list(found.values())


def _unknown_rules(settings: Settings) -> Iterable[Finding]:
    for named in settings.lint.named:
        if not any(names_rule(named.word, rule.code, rule.name) for rule in all_rules()):
            message = f"{named.word} is no rule of shardlint, so nothing is selected or silenced by it"
            yield problem(UNKNOWN_RULE, message, Place(named.path, named.key, named.span))
