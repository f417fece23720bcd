"""The machine format: one JSON object, `schema` 1, in a stable order; paths with `/`, positions from 1."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import cast

from shardlint.report import Finding, Place, Report
from shardlint.syntax.view import Template
from shardlint_cli.terminal import Screen

SCHEMA = 1


def render(report: Report, screen: Screen) -> Iterator[str]:
    """ASCII only, so that it survives every encoding on its way."""
    del screen
    yield dumps(
        {
            "schema": SCHEMA,
            "jobs": list(report.jobs),
            "files": [{"path": file.path, "format": file.format} for file in report.files],
            "findings": [finding_object(finding) for finding in report.findings],
        }
    )


def finding_object(finding: Finding) -> dict[str, object]:
    """A finding as JSON values, in the documented order of keys."""
    start, end = _positions(finding.place)
    return {
        "rule": finding.rule,
        "code": finding.code,
        "severity": finding.severity.word,
        "default_severity": finding.default_severity.word,
        "confidence": finding.confidence,
        "fails_at": finding.fails_at,
        "path": finding.place.path,
        "key": finding.place.key,
        "missing": finding.place.missing,
        "start": start,
        "end": end,
        "message": finding.message,
        "help": finding.help,
        "assumes": list(finding.assumes),
        "related": [
            {"path": other.place.path, "key": other.place.key, "message": other.message}
            for other in finding.related
        ],
        "fixes": [{"title": fix.title, "safe": fix.safe} for fix in finding.fixes],
        "jobs": list(finding.jobs),
    }


def dumps(value: object) -> str:
    """JSON text that every reader takes: what JSON has no spelling for becomes text."""
    try:
        return json.dumps(value, indent=2, allow_nan=False, default=_as_text)
    except ValueError:
        return json.dumps(_spellable(value), indent=2, allow_nan=False, default=_as_text)


def _as_text(value: object) -> str:
    return value.raw if isinstance(value, Template) else str(value)


def _positions(place: Place) -> tuple[dict[str, int], dict[str, int]] | tuple[None, None]:
    if place.document is None:
        return None, None
    start, end = (place.document.position(offset) for offset in place.span)
    return {"line": start.line, "column": start.column}, {"line": end.line, "column": end.column}


def _spellable(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _spellable(item) for key, item in cast("dict[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_spellable(item) for item in cast("list[object]", value)]
    return value
