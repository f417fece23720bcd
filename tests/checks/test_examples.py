"""Every rule's documented examples run: the bad one fires where it says, the good one is silent."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from checks.linting import findings, report
from shardlint.checks.registry import STAGES, Rule, all_rules
from shardlint.report import ERROR

_FENCE = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FIRES = re.compile(r"^Fires at (?:the file )?`([^:`]+)(?:: ([^`]+))?`\.$", re.MULTILINE)
_HEADINGS = ("## What it does", "## Why is this bad", "## Example", "## Use instead")

RULES = all_rules()
each_rule = pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])


class Example(NamedTuple):
    """Files by name, and the places (file, key) at which the rule must fire."""

    files: dict[str, str]
    places: list[tuple[str, str]]


def example(rule: Rule, heading: str) -> Example:
    text = section(rule, heading)
    files = {name: body for _, name, body in _FENCE.findall(text)}
    return Example(files, _FIRES.findall(text))


@cache
def other_tests() -> str:
    """The text of all tests of rules but these."""
    others = (path for path in Path(__file__).parent.rglob("test_*.py") if path != Path(__file__))
    return "\n".join(path.read_text(encoding="utf-8") for path in others)


def section(rule: Rule, heading: str) -> str:
    _, _, rest = rule.documentation.partition(f"{heading}\n")
    return rest.split("\n## ")[0]


@each_rule
def test_documentation_has_its_parts(rule: Rule) -> None:
    summary, _, body = rule.documentation.partition("\n\n")
    assert summary.endswith(".") and "\n" not in summary
    positions = [body.find(heading) for heading in _HEADINGS]
    assert -1 not in positions and positions == sorted(positions)
    assert section(rule, "## What it does").strip() and section(rule, "## Why is this bad").strip()


@each_rule
def test_bad_example_fires_at_the_marked_place(rule: Rule) -> None:
    bad = example(rule, "## Example")
    assert bad.files and bad.places
    places = [(finding.place.path, finding.place.key) for finding in findings(bad.files, rule.name)]
    for place in bad.places:
        assert place in places
    assert len(places) == len(bad.places)


@each_rule
def test_good_example_is_silent(rule: Rule) -> None:
    good = example(rule, "## Use instead")
    assert good.files and set(good.files) & set(example(rule, "## Example").files)
    assert findings(good.files, rule.name) == []


@each_rule
def test_good_example_is_the_nearest_legal_one(rule: Rule) -> None:
    """Silence on a file that has little in common with the bad one would prove nothing."""
    bad, good = (example(rule, heading).files for heading in ("## Example", "## Use instead"))
    texts = ["\n".join(files[name] for name in sorted(files)) for files in (bad, good)]
    assert SequenceMatcher(None, *texts).ratio() >= 0.3


@each_rule
def test_every_rule_has_tests_of_its_own(rule: Rule) -> None:
    assert rule.name in other_tests()


@each_rule
def test_good_example_has_no_other_fault(rule: Rule) -> None:
    loud = [f for f in findings(example(rule, "## Use instead").files) if f.severity >= f.severity.WARNING]
    assert loud == []


@each_rule
def test_an_error_says_where_the_run_fails(rule: Rule) -> None:
    assert rule.fails_at is None or (rule.severity == ERROR and rule.fails_at in STAGES)
    for finding in findings(example(rule, "## Example").files, rule.name):
        assert finding.severity <= rule.severity
        if finding.severity == ERROR:
            assert finding.confidence == "certain" and finding.fails_at in STAGES


@each_rule
def test_spans_lie_in_the_text_at_their_key(rule: Rule) -> None:
    bad = example(rule, "## Example")
    for finding in report(bad.files).findings:
        text = bad.files[finding.place.path]
        start, end = finding.place.span
        assert 0 <= start <= end <= len(text)


def test_codes_and_names_are_unique_and_well_formed() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
        assert rule.module.rpartition(".")[2].replace("_", "-") == rule.name


def test_supersedes_names_rules() -> None:
    names = {rule.name for rule in RULES}
    for rule in RULES:
        assert set(rule.supersedes) <= names, rule.name
