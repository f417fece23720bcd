"""Selections that grow: drawn as the texts selected, the smallest first."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lsp.looks import caret, look_at
from shardlint_lsp.features.selection import DEEPEST, answers, selections


def grown(name: str, marked: str) -> list[str]:
    text, offset = caret(marked)
    spans = selections(look_at({name: text}, name), offset)
    return [text[span.start : span.end] for span in reversed(spans)]


def test_from_the_content_of_a_value_to_the_text() -> None:
    marked = '{ "optimizer": {"type": "Ad|amW"}, "train_micro_batch_size_per_gpu": 8 }\n'
    assert grown("ds.json", marked) == [
        "AdamW",
        '"AdamW"',
        '"type": "AdamW"',
        '{"type": "AdamW"}',
        '"optimizer": {"type": "AdamW"}',
        '"optimizer": {"type": "AdamW"}, "train_micro_batch_size_per_gpu": 8',
        '{ "optimizer": {"type": "AdamW"}, "train_micro_batch_size_per_gpu": 8 }',
        '{ "optimizer": {"type": "AdamW"}, "train_micro_batch_size_per_gpu": 8 }\n',
    ]


def test_from_a_key() -> None:
    assert grown("ds.json", '{"train_m|icro_batch_size_per_gpu": 8}')[:3] == [
        "train_micro_batch_size_per_gpu",
        '"train_micro_batch_size_per_gpu"',
        '"train_micro_batch_size_per_gpu": 8',
    ]


def test_items_of_a_list() -> None:
    found = grown(
        "ds.json",
        '{"train_micro_batch_size_per_gpu": 8, "optimizer": {"params": {"betas": [ 0.9|, 0.999 ]}}}',
    )
    assert found[:4] == ["0.9", "0.9, 0.999", "[ 0.9, 0.999 ]", '"betas": [ 0.9, 0.999 ]']


def test_yaml_blocks() -> None:
    marked = "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: |3\nnum_processes: 8\n"
    found = [text.rstrip() for text in grown("a.yaml", marked)]
    assert found[:3] == ["3", "zero_stage: 3", "deepspeed_config:\n  zero_stage: 3"]


def test_toml_tables_that_lie_within_each_other() -> None:
    marked = "[facts]\nmodel.name = 'x'\nworld_size = |8\nmodel.params = '7B'\n"
    assert grown("shardlint.toml", marked)[:2] == ["8", "world_size = 8"]


def test_a_comment_and_a_host() -> None:
    assert grown("hostfile", "# tw|o\nworker-1 slots=8\n")[0] == "# two"
    assert grown("hostfile", "wor|ker-1 slots=8\n")[:2] == ["worker-1", "worker-1 slots=8"]


@pytest.mark.parametrize(("name", "marked"), [("other.json", '{"a": |1}'), ("shardlint.toml", "|")])
def test_elsewhere_the_text_is_all_there_is(name: str, marked: str) -> None:
    assert grown(name, marked) == [marked.replace("|", "")]


@pytest.mark.parametrize(
    "text",
    [
        '{"zero_optimization": {"stage": , "": [1, {}], "train_micro_batch_size_per_gpu": "8',
        '{"zero_optimization": ' + '{"a": ' * 200 + "1" + "}" * 201,
    ],
)
def test_each_is_strictly_within_the_next_everywhere(text: str) -> None:
    look = look_at({"ds.json": text}, "ds.json")
    for offset in range(len(text) + 1):
        spans = selections(look, offset)
        assert spans[0] == (0, len(text)) and len(spans) <= DEEPEST
        for outer, inner in pairwise(spans):
            assert outer != inner and outer.start <= inner.start <= offset <= inner.end <= outer.end


def test_one_answer_a_position_in_order() -> None:
    text = '{"train_micro_batch_size_per_gpu": 8}\n'
    look = look_at({"ds.json": text}, "ds.json")
    wanted = [look.positions.position(offset) for offset in (len(text), 0, 35)]
    assert [answer.range.start.character for answer in answers(look, wanted)] == [0, 0, 35]
