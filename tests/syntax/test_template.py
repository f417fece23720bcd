"""Placeholders: recognised where they stand, and real values are none."""

from __future__ import annotations

import pytest

from shardlint.syntax.template import is_bare_placeholder, is_template, placeholder_end

PLACEHOLDERS = [
    "${X}",
    "${oc.env:HOME}/run",
    "{{ stage }}",
    "out-{{ name }}",
    "{% if x %}1{% endif %}",
    "<FILL_ME>",
    "<path to the model>",
    "$LR",
    "$(LR)",
    "@LR@",
    "%LR%",
    "__LR__",
    "FILL_ME",
    "CHANGEME",
    "TODO",
    "@@LR@@",
    "<<LR>>",
    "%(lr)s",
    "{lr}",
    "XXX",
]
VALUES = [
    "",
    "auto",
    "bf16",
    "BF16",
    "NO",
    "FULL_SHARD",
    "MULTI_GPU",
    "1e-5",
    "a<b>c",
    "cost $5",
    "user@host",
    "50%",
    "__init__",
    "{}",
    "{a: b}",
    "https://x/y?z=%20",
    "TODO list",
    "adamw_torch",
    "$",
    "T",
    "FROZEN",
    "<<",
    "@@",
    "%(",
    "{2}",
    "XL",
]


@pytest.mark.parametrize("style", ["plain", "double", "single"])
@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_placeholders(text: str, style: str) -> None:
    assert is_template(text, style)


@pytest.mark.parametrize("style", ["plain", "double"])
@pytest.mark.parametrize("text", VALUES)
def test_values_are_no_placeholders(text: str, style: str) -> None:
    assert not is_template(text, style)


def test_a_block_of_text_is_judged_by_what_cannot_be_meant_otherwise() -> None:
    assert is_template("run ${X}\n", "literal")
    assert not is_template("<FILL_ME>", "literal")


@pytest.mark.parametrize("word", ["CONFIG_ZERO_STAGE", "LR", "MBSIZE", "W_BIT1", "$LR", "@LR@"])
def test_bare_words_a_script_replaces(word: str) -> None:
    assert is_bare_placeholder(word)


@pytest.mark.parametrize(
    "word", ["TRUE", "NONE", "NAN", "True", "cpu", "Adam", "X", "1E5", "micro_batch_size"]
)
def test_bare_words_that_are_values(word: str) -> None:
    assert not is_bare_placeholder(word)


@pytest.mark.parametrize(
    ("text", "end"),
    [("${X}, 1", 4), ("{{ x }}}", 7), ("{{ x }}_{{ y }}\n", 15), ("$LR,", 3), ("{'a': 1}", 0), ("{{\n", 0)],
)
def test_where_a_placeholder_ends(text: str, end: int) -> None:
    assert placeholder_end(text, 0) == end


def test_unclosed_placeholders_cost_no_time() -> None:
    assert not is_template("{{ " * 200_000, "double")
    assert placeholder_end("${" * 200_000, 0) == 0
