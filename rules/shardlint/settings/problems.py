"""What can be wrong with a setting, as findings with a place."""

from __future__ import annotations

from collections.abc import Iterable

from shardlint.plan import GIVEN, Fact
from shardlint.report import HINT, INFO, WARNING, Edit, Finding, Fix, Place, Severity, listing
from shardlint.settings.names import Setting, find_setting, nearest_setting, role_and_name
from shardlint.settings.values import read

UNKNOWN = ("SET001", "unknown-setting")
WRONG = ("SET002", "wrong-setting-value")
UNIT = ("SET003", "decimal-memory-unit")
SYNTAX = ("SET004", "broken-settings-file")
PRAGMA = ("SET005", "broken-pragma")
NO_ROW = ("SET007", "name-in-no-table")

Rule = tuple[str, str]


def problem(
    rule: Rule, message: str, place: Place, severity: Severity = WARNING, help: str | None = None
) -> Finding:
    code, name = rule
    return Finding(message, place, severity, help=help, rule=name, code=code, default_severity=severity)


def unknown_name(name: str, place: Place) -> Finding:
    close = nearest_setting(name)
    meant = f"; did you mean {close}?" if close else ""
    return problem(UNKNOWN, f"{name} is not a setting of shardlint, so nothing reads it{meant}", place)


def wrong_value(name: str, raw: str, complaint: str, place: Place) -> Finding:
    return problem(WRONG, f"{name} = {_short(raw)} {complaint}; the setting is left out", place)


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
        return fact, problem(UNIT, f"{setting.name} = {_short(raw)}: {result.remark}", place, HINT)
    return fact, _without_row(setting.name, result.value, place)


def _without_row(name: str, value: object, place: Place) -> Finding | None:
    """A GPU or model the catalog does not hold: what would have come from its row must be set."""
    _, tail = role_and_name(name)
    if tail not in ("gpu.name", "model.name") or not isinstance(value, str):
        return None
    from shardlint.catalog.gpus import find_gpu, suggest_gpus
    from shardlint.catalog.models import find_model, suggest_models

    if tail == "gpu.name":
        row, near, instead = find_gpu(value), suggest_gpus, "gpu.memory_gib and gpu.compute_capability"
    else:
        row, near, instead = find_model(value), suggest_models, "model.params"
    if row is not None or (tail == "model.name" and may_be_path(value)):
        return None
    close = near(value, 2)
    meant = f"; did you mean {listing(close)}?" if close else ""
    message = f"{value} is in no table, so its figures are not known; set {instead}{meant}"
    return problem(NO_ROW, message, place, INFO)._replace(fixes=_written(close, place))


def _written(names: Iterable[str], place: Place) -> tuple[Fix, ...]:
    """A fix for each name, where the one that is wrong stands in double quotes."""
    raw = place.document.text[place.span.start : place.span.end] if place.document is not None else ""
    if len(raw) < 2 or raw[0] != '"' or raw[-1] != '"':
        return ()
    return tuple(Fix(f"Write {name}", False, (Edit(place.path, place.span, f'"{name}"'),)) for name in names)


def may_be_path(name: str) -> bool:
    """Whether the name of a model is a path rather than an id."""
    return name.startswith((".", "/", "~")) or name.endswith(".json") or name.count("/") > 1


def _short(raw: str) -> str:
    line = " ".join(raw.split())
    return line if len(line) <= 40 else f"{line[:37]}..."
