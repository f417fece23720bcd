"""The exported schemas in the JSON language service of VS Code: what a user sees while typing."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import pytest

from editors.node import ask
from shardlint.schema.export import export


class Shown(NamedTuple):
    """What the editor shows at a place."""

    labels: list[str]
    inserts: dict[str, str]
    documentation: dict[str, str]
    hover: str
    problems: list[str]


TEXTS = {
    "top level": '{ "bf16": {"enabled": true}, | }',
    "section": '{ "zero_optimization": { "stage": 3, | } }',
    "value": '{ "zero_optimization": { "stage": | } }',
    "boolean": '{ "zero_optimization": { "overlap_comm": | } }',
    "words": '{ "zero_optimization": { "offload_param": { "device": | } } }',
    "schedule": '{ "scheduler": { "type": "WarmupDecayLR", "params": { | } } }',
    "hover": '{ "zero_optimization": { "reduce_|bucket_size": 200000000 } }',
    "good": '{ "train_batch_size": 8, "zero_optimization": {"stage": 3, "reduce_bucket_size": "auto"} }|',
    "typo": '{ "zero_optimization": { "overlap_com": true } }|',
    "type": '{ "zero_optimization": { "overlap_comm": "maybe" } }|',
    "removed": '{ "elasticity": { "enabled": false } }|',
}


@cache
def answers() -> dict[str, Shown]:
    questions = [{"text": text.replace("|", ""), "offset": text.index("|")} for text in TEXTS.values()]
    found: list[dict[str, Any]] = ask("ask.cjs", {"schema": export("deepspeed"), "questions": questions})
    return dict(zip(TEXTS, map(_shown, found), strict=True))


def _shown(found: dict[str, Any]) -> Shown:
    items = found["completions"]
    return Shown(
        [item["label"] for item in items],
        {item["label"]: item["insert"] for item in items},
        {item["label"]: item["documentation"] for item in items},
        found["hover"],
        found["problems"],
    )


def test_keys_of_the_file() -> None:
    shown = answers()["top level"]
    assert {"zero_optimization", "fp16", "gradient_clipping"} <= set(shown.labels)
    assert "bf16" not in shown.labels
    assert "ZeRO" in shown.documentation["zero_optimization"]


def test_keys_of_a_section() -> None:
    shown = answers()["section"]
    assert {"overlap_comm", "reduce_bucket_size", "offload_optimizer"} <= set(shown.labels)
    assert "stage" not in shown.labels
    assert shown.inserts["reduce_bucket_size"].startswith('"reduce_bucket_size": ')


@pytest.mark.parametrize(
    ("place", "values"),
    [
        ("value", {"0", "1", "2", "3", '"auto"'}),
        ("boolean", {"true", "false"}),
        ("words", {'"none"', '"cpu"', '"nvme"', '"auto"'}),
    ],
)
def test_values_of_a_key(place: str, values: set[str]) -> None:
    labels = answers()[place].labels
    assert values <= set(labels)
    assert place == "boolean" or not {"true", "false"} & set(labels)


def test_parameters_of_the_schedule_that_is_chosen() -> None:
    assert {"total_num_steps", "warmup_num_steps"} <= set(answers()["schedule"].labels)


def test_hover_says_what_the_tables_say() -> None:
    hover = answers()["hover"].hover
    assert "Gradient elements reduced at once." in hover.replace("\\", "")
    assert "elements" in hover and "500000000" in hover


def test_a_good_file_has_no_problem() -> None:
    assert answers()["good"].problems == []


@pytest.mark.parametrize(("fault", "word"), [("typo", "overlap_com"), ("type", "")])
def test_a_bad_file_has_one(fault: str, word: str) -> None:
    problems = answers()[fault].problems
    assert len(problems) == 1 and word in problems[0]


def test_a_section_that_older_releases_read_is_only_marked() -> None:
    problems = answers()["removed"].problems
    assert problems == [] or all("deprecated" in problem for problem in problems)
