"""`--set` and the settings an editor sends."""

from __future__ import annotations

import pytest

from shardlint.settings.flags import read_editor, read_flags


def test_good_flags_are_facts() -> None:
    found = read_flags(
        ["world_size=8", "facts.nodes=2", "training_args.bf16=true", "gpu.name=H100", "model.params=7B"]
    )
    assert {name: fact.value for name, fact in found.layer.values.items()} == {
        "world_size": 8,
        "nodes": 2,
        "training_args.bf16": True,
        "gpu.name": "H100",
        "model.params": 7_000_000_000,
    }
    assert all(fact.origin == "--set" for fact in found.layer.values.values())
    assert not found.notices


@pytest.mark.parametrize(
    ("flag", "says"),
    [
        ("world_size", "--set world_size: write --set NAME=VALUE"),
        ("=8", "--set =8: write --set NAME=VALUE"),
        ("world_size=", "--set world_size=: write --set NAME=VALUE"),
        ("wrld_size=8", "did you mean world_size"),
        ("world_size=many", "world_size = many is no count"),
    ],
)
def test_a_bad_flag_is_one_clear_line_and_the_others_apply(flag: str, says: str) -> None:
    found = read_flags([flag, "nodes=2"])
    assert found.layer.values["nodes"].value == 2
    (notice,) = found.notices
    assert says in notice.message
    assert notice.asked
    assert "\n" not in notice.message


def test_a_flag_that_is_read_but_easily_misunderstood_is_remarked() -> None:
    (notice,) = read_flags(["budget.activations=20GB"]).notices
    assert "18.63 GiB" in notice.message
    assert not notice.asked


def test_editor_settings_are_nested_or_dotted() -> None:
    found = read_editor({"facts": {"gpu": {"name": "T4"}, "world_size": 4}, "budget.reserve": "1GiB"})
    assert {name: fact.value for name, fact in found.layer.values.items()} == {
        "gpu.name": "T4",
        "world_size": 4,
        "budget.reserve": 1024**3,
    }
