"""Code lens: the headline of the ledger, above the line that decides it."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lsp.looks import FULL, look_at
from shardlint_lsp.features.code_lens import SHOW_LEDGER, Lens, lenses, shown
from shardlint_lsp.preferences import preferences_of

DS = '{"train_micro_batch_size_per_gpu": 1,\n "bf16": {"enabled": true},\n "zero_optimization": {"stage": 3}}'
FACTS = '[facts]\nmodel.params = "7B"\nworld_size = 8\n'
ON = preferences_of({"codeLens": True})


def lensed(text: str, facts: str = "", name: str = "ds.json") -> list[Lens]:
    return lenses(look_at({name: text, "shardlint.toml": facts}, name, preferences=ON))


def test_off_unless_it_is_switched_on() -> None:
    assert lenses(look_at({"ds.json": DS, "shardlint.toml": FACTS}, "ds.json")) == []


def test_the_headline_where_the_stage_is_written() -> None:
    at = DS.index("3}") + 1
    assert lensed(DS, FACTS) == [Lens(at, "ZeRO-3, 13.04 GiB/rank of model states = 16P/N")]


@pytest.mark.parametrize(
    ("facts", "wanted"),
    [
        ("", "model.params (or model.name) and world_size"),
        ("[facts]\nworld_size = 8\n", "model.params (or model.name)"),
        ('[facts]\nmodel.params = "7B"\n', "world_size"),
    ],
)
def test_what_to_set_where_the_states_are_not_known(facts: str, wanted: str) -> None:
    assert [lens.title for lens in lensed(DS, facts)] == [f"ZeRO-3, model states unknown: set {wanted}"]


def test_the_first_line_where_no_way_of_sharding_is_written() -> None:
    text = '{"train_micro_batch_size_per_gpu": 1, "bf16": {"enabled": true}}'
    assert lensed(text, FACTS) == [Lens(0, "replicated, 104.31 GiB/rank of model states = 16P")]


def test_none_for_a_file_without_a_job() -> None:
    assert lensed("a: 1\n", FACTS, "notes.yaml") == []
    assert lensed("", FACTS) == []


def test_a_click_shows_the_ledger_of_the_document() -> None:
    client = FULL._replace(encoding="utf-16")
    look = look_at({"ds.json": DS, "shardlint.toml": FACTS}, "ds.json", client=client, preferences=ON)
    found = shown(look, lenses(look)[0], "file:///ds.json")
    position = types.Position(2, len(' "zero_optimization": {"stage": 3'))
    assert found.range == types.Range(position, position)
    assert found.command is not None
    assert (found.command.command, found.command.arguments) == (
        SHOW_LEDGER,
        ["file:///ds.json", {"show": True}],
    )
