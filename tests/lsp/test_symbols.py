"""Outlines: keys with their kinds and short values, nested, in every language we read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lsprotocol import types

from lsp.looks import FULL, look_at
from lsp.navigation import FILES
from shardlint_lsp.features.symbols import DEEPEST, MOST, Symbol, symbols

Kind = types.SymbolKind


def outline(name: str, text: str) -> list[str]:
    """One line a symbol, indented by depth: name, kind, detail."""
    return list(_lines(symbols(look_at({name: text}, name)), ""))


def _lines(found: list[Symbol], indent: str) -> Iterator[str]:
    for symbol in found:
        yield f"{indent}{symbol.name} {symbol.kind.name} {symbol.detail}".rstrip()
        yield from _lines(symbol.children, indent + "  ")


def test_json() -> None:
    text = """{
      "train_batch_size": 8, "bf16": {"enabled": true}, "zero_allow_untested_optimizer": null,
      "optimizer": {"type": "AdamW", "params": {"lr": "auto", "betas": [0.9, 0.999]}},
      "zero_optimization": {"stage": ${STAGE}}
    }"""
    assert outline("ds.json", text) == [
        "train_batch_size Number 8",
        "bf16 Object",
        "  enabled Boolean true",
        "zero_allow_untested_optimizer Null null",
        "optimizer Object",
        '  type String "AdamW"',
        "  params Object",
        '    lr String "auto"',
        "    betas Array [0.9, 0.999]",
        "zero_optimization Object",
        "  stage Variable ${STAGE}",
    ]


def test_yaml_with_an_alias_and_a_list_of_sections() -> None:
    text = (
        "distributed_type: DEEPSPEED\nbase: &base {zero_stage: 3}\ndeepspeed_config: *base\n"
        "list:\n- a: 1\n- 2\nnum_processes: 8\n"
    )
    assert outline("a.yaml", text) == [
        "distributed_type String DEEPSPEED",
        "base Object",
        "  zero_stage Number 3",
        "deepspeed_config Object *base",
        "list Array",
        "  [0] Object",
        "    a Number 1",
        "num_processes Number 8",
    ]


def test_each_of_several_yaml_documents_is_one_symbol() -> None:
    text = "distributed_type: DEEPSPEED\nnum_processes: 8\n---\nb: 2\n"
    assert outline("a.yaml", text)[0] == "#1 Object"
    assert outline("a.yaml", text)[3:] == ["#2 Object", "  b Number 2"]


def test_settings() -> None:
    assert outline("shardlint.toml", FILES["shardlint.toml"]) == [
        "facts Object",
        "  model Object",
        '    name String "models/tiny"',
        "  launch Object",
        '    config_file String "accelerate.yaml"',
        "jobs Array",
        "  [0] Object",
        '    files Array ["train.yaml", "accelerate.yaml", "gone.yaml"]',
        "files Array",
        "  [0] Object",
        '    match Array ["ds.json", "configs/**"]',
        "    facts Object",
        "      world_size Number 8",
    ]


def test_hosts() -> None:
    assert outline("hostfile", "# two\nworker-1 slots=8\nworker-2 slots=4\n") == [
        "worker-1 Number 8",
        "worker-2 Number 4",
    ]


def test_the_range_covers_the_pair_and_the_selection_the_key() -> None:
    text = '{"zero_optimization": {"stage": 3}, "train_batch_size": 8}'
    symbol = symbols(look_at({"ds.json": text}, "ds.json"))[0]
    assert text[symbol.span.start : symbol.span.end] == '"zero_optimization": {"stage": 3}'
    assert text[symbol.selection.start : symbol.selection.end] == '"zero_optimization"'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ds.json", '{"zero_optimization": {"stage": , "": , "train_batch_size'),
        ("a.yaml", "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage:\nmachine_rank:\n- \n-"),
        ("shardlint.toml", "[facts\nmodel.name =\n[[jobs]]\n[[jobs]]\nfiles = [\n[facts]\n[jobs.facts]\n"),
        ("hostfile", "worker-1 slots=\nworker-2 slots=8\n"),
    ],
)
def test_parents_hold_their_children_and_selections_in_half_typed_text(name: str, text: str) -> None:
    pending = symbols(look_at({name: text}, name))
    assert pending or name == "hostfile"
    while pending:
        symbol = pending.pop()
        assert symbol.name
        for inner in (symbol.selection, *(child.span for child in symbol.children)):
            assert symbol.span.start <= inner.start <= inner.end <= symbol.span.end, symbol.name
        pending.extend(symbol.children)


@pytest.mark.parametrize(("name", "text"), [("other.json", '{"a": 1}'), ("pyproject.toml", "[project]\n")])
def test_files_of_others_are_left_to_their_servers(name: str, text: str) -> None:
    assert outline(name, text) == []


@pytest.mark.parametrize(("name", "shown"), [("ds.json", False), ("ds.hjson", True), ("ds.yaml", True)])
def test_an_outline_the_editor_has_already_is_not_shown_twice(name: str, shown: bool) -> None:
    text = '{"train_batch_size": 8, "zero_optimization": {"stage": 3}}'
    client = FULL._replace(name="Visual Studio Code")
    assert bool(symbols(look_at({name: text}, name, client))) is shown


def test_long_values_are_cut() -> None:
    text = f'{{"train_batch_size": 8, "zero_optimization": {{"x": "{"y" * 5000}"}}}}'
    assert outline("ds.json", text)[2] == f'  x String "{"y" * 56}...'


def test_very_deep_and_very_wide_texts_are_cut() -> None:
    deep = '{"zero_optimization": ' + '{"a": ' * 200 + "1" + "}" * 201
    lines = outline("ds.json", deep)
    assert 0 < len(lines) <= DEEPEST
    wide = '{"zero_optimization": {' + ", ".join(f'"k{n}": {n}' for n in range(2 * MOST)) + "}}"
    assert len(outline("ds.json", wide)) == MOST
