"""What is silenced at a place stays silent: the rule it had superseded does not speak up in its stead."""

from __future__ import annotations

import pytest

from checks.linting import facts, findings

MEMBERS = '"optimizer": {"type": "Adam", "params": {"lr": 1e-4, "max_grad_norm": 1.0%s}}'
BATCH = '"train_micro_batch_size_per_gpu": 1'
KEY = "optimizer.params.max_grad_norm"


def rules(comment: str = "", lint: str = "") -> set[str]:
    """Rules that speak of the key, in a file with a comment behind it and settings with more lines."""
    settings = facts(consumer="deepspeed")
    text = "{" + BATCH + ",\n" + MEMBERS.replace("%s", comment) + "\n}\n"
    files = {"ds.json": text, "shardlint.toml": settings["shardlint.toml"] + lint}
    return {found.rule for found in findings(files) if found.place.key == KEY}


def test_one_rule_speaks_for_both() -> None:
    assert rules() == {"clipping-in-optimizer-params"}


@pytest.mark.parametrize(
    ("comment", "lint"),
    [
        (" // shardlint: ignore[clipping-in-optimizer-params]\n", ""),
        ("", f'[lint.per-file-ignores]\n"ds.json:{KEY}" = ["clipping-in-optimizer-params"]\n'),
        ("", '[lint.per-file-ignores]\n"ds.json" = ["clipping-in-optimizer-params"]\n'),
    ],
)
def test_silenced_at_a_place(comment: str, lint: str) -> None:
    assert rules(comment, lint) == set()


@pytest.mark.parametrize("lint", ['ignore = ["clipping-in-optimizer-params"]', 'select = ["KEY"]'])
def test_a_rule_that_does_not_run_supersedes_nothing(lint: str) -> None:
    assert rules(lint=f"[lint]\n{lint}\n") == {"deprecated-key"}


def test_a_selection_of_nothing_says_so() -> None:
    files = {"ds.json": "{" + BATCH + "}", "shardlint.toml": '[lint]\nselect = ["nope"]\n'}
    assert [found.rule for found in findings(files)] == ["unknown-rule"]
    silenced = {**files, "shardlint.toml": '[lint]\nselect = ["nope"]\nignore = ["SET"]\n'}
    assert findings(silenced) == []
