"""From what rules yield to what is reported: identity, honesty, the user's wishes, and each thing once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from shardlint.checks.registry import Rule
from shardlint.engine.scopes import Sight
from shardlint.report import ERROR, WARNING, Finding, one_line
from shardlint.settings import Settings
from shardlint.settings.pragmas import suppressed

SettingsOf = Callable[[str], Settings]
Locate = Callable[[str], Path]


def stamped(rule: Rule, finding: Finding, sight: Sight) -> Finding:
    """The finding with its rule's identity, no louder than the rule and what it knows allow.

    An error must be certain and must not rest on a file that had to be repaired, in which what is missing
    may only be not typed yet; and it names the point at which the run fails.
    """
    severity = min(finding.severity, rule.severity)
    if severity == ERROR and (finding.confidence != "certain" or _on_repaired(rule, finding, sight)):
        severity = WARNING
    return finding._replace(
        message=one_line(finding.message),
        rule=rule.name,
        code=rule.code,
        severity=severity,
        default_severity=rule.severity,
        fails_at=(finding.fails_at or rule.fails_at) if severity == ERROR else None,
        jobs=(sight.job,) if sight.job else (),
    )


def _on_repaired(rule: Rule, finding: Finding, sight: Sight) -> bool:
    return (finding.place.guessed or sight.repaired) and rule.family != "SYN"


def once(findings: Iterable[Finding]) -> list[Finding]:
    """Each finding once, with all its jobs, where several jobs share a file."""
    merged: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        place = finding.place
        identity = (finding.rule, place.path, place.key, place.span, place.missing, finding.message)
        known = merged.get(identity)
        if known is None:
            merged[identity] = finding
        else:
            jobs = known.jobs + tuple(job for job in finding.jobs if job not in known.jobs)
            louder = max(known, finding, key=lambda f: f.severity)
            merged[identity] = louder._replace(jobs=jobs)
    return list(merged.values())


def unsuperseded(findings: list[Finding], rules: dict[str, Rule]) -> list[Finding]:
    """Without the findings that another rule at the same place, key or text, makes superfluous."""
    dropped: set[tuple[object, ...]] = set()
    for finding in findings:
        for name in rules[finding.rule].supersedes if finding.rule in rules else ():
            dropped.update((*place, name) for place in _places(finding))
    return [f for f in findings if not any((*place, f.rule) in dropped for place in _places(f))]


def _places(finding: Finding) -> tuple[tuple[object, ...], ...]:
    """The key of a finding and its text."""
    place = finding.place
    return (place.path, place.key), (place.path, place.span)


def selected(findings: Iterable[Finding], settings_of: SettingsOf) -> list[Finding]:
    """Those of rules that the settings of their file let speak at all."""
    return [f for f in findings if settings_of(f.place.path).lint.selects(f.code, f.rule)]


def wanted(findings: Iterable[Finding], settings_of: SettingsOf, locate: Locate) -> Iterator[Finding]:
    """Without what is silenced in a file or at a place, at the severity settings give. What one of these
    superseded is not said in its stead."""
    for finding in findings:
        settings = settings_of(finding.place.path)
        lint = settings.lint
        path = settings.relative(locate(finding.place.path))
        if lint.silences(path, finding.place.key, finding.code, finding.rule):
            continue
        document = finding.place.document
        if document is not None and suppressed(finding, document, settings.suppressions):
            continue
        level = lint.level(finding.code, finding.rule)
        yield finding if level is None else finding._replace(severity=level)


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """By file, place, then loudest first."""
    return sorted(findings, key=lambda f: (f.place.path, f.place.span, -f.severity, f.code, f.message))
