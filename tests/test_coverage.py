"""docs/coverage.md: up to date, names only rules there are, and leaves few decidable rows without one."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from shardlint.checks.registry import all_rules

DOCS = Path(__file__).resolve().parent.parent / "docs"
LEAST = 0.95
"""The share of the rows decided by files or facts that has a rule."""


@pytest.fixture(scope="module")
def coverage() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_coverage", DOCS / "generate_coverage.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_data_and_the_rules_give(coverage: ModuleType) -> None:
    expected = coverage.page(coverage.rows(), all_rules())
    assert coverage.PAGE.read_text(encoding="utf-8") == expected, "run python docs/generate_coverage.py"


def test_every_named_rule_exists(coverage: ModuleType) -> None:
    known = {rule.code for rule in all_rules()}
    assert [(row.number, code) for row in coverage.rows() for code in row.rules if code not in known] == []


def test_rows_are_numbered_once_and_say_why_there_is_no_rule(coverage: ModuleType) -> None:
    rows = coverage.rows()
    assert len({row.number for row in rows}) == len(rows) == 137 + 28 + 111 + 32
    for row in rows:
        assert row.decided in coverage.NEEDS and row.what and ":" in row.source, row
        assert row.rules or row.wanted or row.reason, row


@pytest.mark.parametrize("stack", ["D", "H"])
def test_what_files_and_facts_decide_has_a_rule(coverage: ModuleType, stack: str) -> None:
    rows = [row for row in coverage.rows() if row.number.startswith(stack)]
    missing = [f"{row.number} {row.what}" for row in rows if row.wanted and not row.rules]
    assert coverage.share(rows) >= LEAST, "\n".join(missing)
