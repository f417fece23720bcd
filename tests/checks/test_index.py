"""The index of what rules are about is fresh, and leaves out no rule that has something to say."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from checks import test_examples
from corpus import corpus_root, manifest, requires_corpus
from shardlint.checks import index
from shardlint.checks.registry import Rule, all_rules, rules_but
from shardlint.engine import Options, lint
from shardlint.report import Report

EVERY = 7
"""One corpus file in so many is tried."""

TALKATIVE = ("world_size=8", "model.params=7B", "gpu.name=T4", "consumer=hf-trainer", "code.zero_init=true")
"""Facts under which more rules speak."""

BY_NAME = {rule.name: rule for rule in all_rules()}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[frozenset[str]]]:
    """Every rule is asked; the modules that would not have been, one set a lint."""
    found: list[frozenset[str]] = []

    def none(texts: Iterable[str]) -> frozenset[str]:
        found.append(index.silent(texts))
        return frozenset()

    monkeypatch.setattr(sys.modules["shardlint.engine.lint"], "silent", none)
    yield found
    assert found


def unheard(report: Report, silent: frozenset[str]) -> list[str]:
    """The rules that speak although the index says that they have nothing to say."""
    said = {finding.rule for finding in report.findings}
    return sorted(name for name in said & set(BY_NAME) if BY_NAME[name].module in silent)


def test_the_index_is_what_the_rules_state() -> None:
    assert index.FILE.read_text(encoding="utf-8") == index.text(), "run python -m shardlint.checks.index"


@pytest.mark.parametrize("rule", [rule for rule in all_rules() if rule.about], ids=lambda rule: rule.name)
def test_words_can_be_found(rule: Rule) -> None:
    """Texts are folded before they are searched, and the words of a row are parted by blanks."""
    assert all(word == word.lower() and len(word) > 1 and not word.isspace() for word in rule.about)
    assert not any(" " in word or "\t" in word for word in rule.about)


def test_a_word_wakes_its_rules() -> None:
    module = "shardlint.checks.sharding.zenflow_prerequisite_missing"
    assert module in index.silent(['{"zero_optimization": {"stage": 2}}', "consumer=deepspeed"])
    assert module not in index.silent(['{"bf16": {}}', '{"zero_optimization": {"ZenFlow": {}}}'])
    assert module not in index.silent(['{"zero_optimization": {"\\u007aenflow": {}}}'])


def test_modules_without_a_rule_are_left_to_those_who_need_them() -> None:
    assert "shardlint.checks.keys.placed" in index.silent(['{"\\u007aenflow": {}}'])
    assert not {rule.module for rule in all_rules()} & index.silent(['{"\\u007aenflow": {}}'])


def test_rules_left_out_are_only_left_out_once() -> None:
    module = "shardlint.checks.sharding.zenflow_prerequisite_missing"
    assert module not in {rule.module for rule in rules_but(frozenset({module}))}
    assert module in {rule.module for rule in all_rules()}


@pytest.mark.parametrize("heading", ["## Example", "## Use instead"])
def test_no_example_holds_an_unheard_rule(asked: list[frozenset[str]], tmp_path: Path, heading: str) -> None:
    for rule in BY_NAME.values():
        root = tmp_path / rule.name
        for name, text in test_examples.example(rule, heading).files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        report = lint([root], Options(root=root))
        assert unheard(report, asked[-1]) == [], rule.name


@requires_corpus
def test_no_file_of_the_corpus_holds_an_unheard_rule(asked: list[frozenset[str]]) -> None:
    root = corpus_root()
    assert root is not None
    for row in manifest()[::EVERY]:
        path = root / row.path
        report = lint([path], Options(root=path.parent, sets=TALKATIVE))
        assert unheard(report, asked[-1]) == [], row.path
