"""Lint a handful of texts as the command line would, in a folder of their own."""

from __future__ import annotations

import tempfile
from pathlib import Path
from textwrap import dedent

from shardlint.engine import Options, lint
from shardlint.report import Finding, Report


def report(files: dict[str, str]) -> Report:
    """The report on a folder that holds these files."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
        return lint([root], Options(root=root))


def findings(files: dict[str, str], rule: str | None = None) -> list[Finding]:
    """What is found, of one rule or of all."""
    found = report(files)
    assert not found.notices, found.notices
    return [finding for finding in found.findings if rule in (None, finding.rule)]


def keys(files: dict[str, str], rule: str) -> list[str]:
    """Where a rule fires: `file: key` of each finding."""
    return [f"{finding.place.path}: {finding.place.key}" for finding in findings(files, rule)]


def only(files: dict[str, str], rule: str) -> Finding:
    """The one finding of a rule."""
    found = findings(files, rule)
    assert len(found) == 1, found
    return found[0]
