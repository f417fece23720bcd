"""One text about a rule, a key or a setting, for every front end."""

from __future__ import annotations

import pytest

from shardlint.checks.registry import all_rules
from shardlint.explain import explanation, nearest, rule_text


def test_a_rule_by_code_or_name() -> None:
    for rule in all_rules():
        assert explanation(rule.code) == explanation(rule.name) == rule_text(rule)


@pytest.mark.parametrize(
    ("word", "heads"),
    [
        ("zero_optimization.stage", ["# zero_optimization.stage (DeepSpeed)"]),
        ("bf16", ["# bf16 (DeepSpeed)", "# bf16 (Hugging Face Trainer)"]),
        ("world_size", ["# world_size (setting of shardlint)"]),
        ("budget", ["# [budget] (section of shardlint.toml)"]),
    ],
)
def test_a_key_or_a_setting_at_each_of_its_places(word: str, heads: list[str]) -> None:
    assert [line for line in explanation(word).splitlines() if line.startswith("# ")] == heads


def test_nothing_about_an_unknown_word() -> None:
    assert explanation("nonsense") == ""
    assert explanation("") == ""


@pytest.mark.parametrize(
    ("word", "near"),
    [("overlap_com", "overlap_comm"), ("Batch-Triangle", "batch-triangle-mismatch"), ("qqqqqq", None)],
)
def test_the_nearest_name(word: str, near: str | None) -> None:
    assert nearest(word) == near
