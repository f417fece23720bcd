"""What can be wrong with a setting, as findings with a place."""

from __future__ import annotations

from shardlint.plan import GIVEN, Fact
from shardlint.report import HINT, WARNING, Finding, Place, Severity
from shardlint.settings.names import Setting, find_setting, nearest_setting
from shardlint.settings.values import read

UNKNOWN = ("SET001", "unknown-setting")
WRONG = ("SET002", "wrong-setting-value")
UNIT = ("SET003", "decimal-memory-unit")
SYNTAX = ("SET004", "broken-settings-file")
PRAGMA = ("SET005", "broken-pragma")

Rule = tuple[str, str]


def problem(
    rule: Rule, message: str, place: Place, severity: Severity = WARNING, help: str | None = None
) -> Finding:
    code, name = rule
    return Finding(message, place, severity, help=help, rule=name, code=code, default_severity=severity)


def unknown_name(name: str, place: Place) -> Finding:
    close = nearest_setting(name)
    meant = f"; did you mean {close}" if close else ""
    return problem(UNKNOWN, f"{name} is not a setting of shardlint, so nothing reads it{meant}", place)


def wrong_value(name: str, raw: str, complaint: str, place: Place) -> Finding:
    return problem(WRONG, f"{name} = {raw} {complaint}; the setting is left out", place)


def understood(
    name: str, value: object, raw: str, origin: str, place: Place
) -> tuple[Fact[object] | None, Finding | None]:
    """A setting as a fact, and what is to be said about it."""
    setting = find_setting(name)
    if setting is None:
        return None, unknown_name(name, place)
    return converted(setting, value, raw, origin, place)


def converted(
    setting: Setting, value: object, raw: str, origin: str, place: Place
) -> tuple[Fact[object] | None, Finding | None]:
    result = read(setting.kind, value)
    if result.complaint:
        return None, wrong_value(setting.name, raw, result.complaint, place)
    fact: Fact[object] = Fact(result.value, origin, GIVEN, place)
    if result.remark:
        return fact, problem(UNIT, f"{setting.name} = {raw}: {result.remark}", place, HINT)
    return fact, None
