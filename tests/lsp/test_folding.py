"""Folds: what spans lines, drawn as the lines that disappear."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lsp.looks import FULL, look_at
from shardlint_lsp.features import folding
from shardlint_lsp.features.folding import folds, ranges

LINES = FULL._replace(line_folding=True)


def folded(name: str, text: str, lines: bool = True) -> list[tuple[int, int, str]]:
    """First and last line of each fold, from 1, and its kind."""
    look = look_at({name: text}, name, client=LINES if lines else FULL)
    return [
        (r.start_line + 1, r.end_line + 1, "comment" if r.kind is types.FoldingRangeKind.Comment else "")
        for r in ranges(look)
    ]


def test_a_line_with_a_closing_bracket_stays() -> None:
    text = """{
  "zero_optimization": {
    "stage": 3
  },
  "optimizer": {"params": {
    "betas": [
      0.9, 0.999
    ] }},
  "train_batch_size": 8
}
"""
    assert folded("ds.json", text) == [(1, 9, ""), (2, 3, ""), (5, 8, ""), (6, 7, "")]


def test_characters_where_the_editor_folds_them() -> None:
    text = '{\n  "zero_optimization": {\n    "stage": 3\n  }\n}\n'
    look = look_at({"ds.json": text}, "ds.json")
    found = [(r.start_line, r.start_character, r.end_line, r.end_character) for r in ranges(look)]
    assert found == [(0, 1, 4, 0), (1, 24, 3, 2)]


def test_yaml_blocks_without_the_blank_lines_after_them() -> None:
    text = (
        "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 3\n\n  list:\n  - a: 1\n    b: 2\n"
        "\n\nnum_processes: 8\nnote: |\n  one\n  two\n"
    )
    assert folded("a.yaml", text) == [(2, 7, ""), (5, 7, ""), (6, 7, ""), (11, 13, "")]


def test_each_of_several_yaml_documents() -> None:
    text = "distributed_type: DEEPSPEED\nnum_processes: 8\n---\na: 1\nb: 2\n"
    assert folded("a.yaml", text) == [(1, 2, ""), (4, 5, "")]


def test_toml_tables_from_their_headers() -> None:
    text = (
        "[facts]\nmodel.name = 'x'\nmodel.params = '7B'\n\n[facts.gpu]\nname = 'H100'\n\n"
        "[[jobs]]\nfiles = [\n  'a',\n]\n\n[[jobs]]\nfiles = ['b']\n"
    )
    assert folded("shardlint.toml", text) == [(1, 6, ""), (5, 6, ""), (8, 11, ""), (9, 10, ""), (13, 14, "")]


def test_comments_on_lines_of_their_own() -> None:
    text = (
        "# one\n# two\n\n# alone\ndistributed_type: DEEPSPEED # beside\n# below\n  # below\n"
        "num_processes: 8\n"
    )
    assert folded("a.yaml", text) == [(1, 2, "comment"), (6, 7, "comment")]
    assert folded("hostfile", "# a\n# b\nworker-1 slots=8\n") == [(1, 2, "comment")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ds.json", '{"zero_optimization": {"stage": 3}}'),
        ("other.json", '{\n"a": {\n"b": 1\n}\n}'),
        ("a.yaml", "distributed_type: DEEPSPEED\nnum_processes: 8\n"),
        ("shardlint.toml", ""),
    ],
)
def test_nothing_to_fold(name: str, text: str) -> None:
    assert folded(name, text) == [] and folded(name, text, lines=False) == []


def test_half_typed_brackets() -> None:
    found = folded("ds.json", '{\n  "zero_optimization": {\n    "stage": 3,\n    "x": [\n')
    assert all(first < last for first, last, _ in found)


def test_no_more_than_editors_take() -> None:
    text = '{"zero_optimization": {\n' + ",\n".join(f'"k{n}": {{\n"a": 1}}' for n in range(6000)) + "}}"
    assert len(folds(look_at({"ds.json": text}, "ds.json"))) == folding.MOST
