"""References: back from a file, an anchor or a filling key to what refers to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lsp.looks import caret, look_at
from lsp.navigation import DS, FILES, HOSTFILE, TRAIN, look_after_walk, shown
from shardlint_lsp.features.references import references

NAMING_DS = ["train.yaml:ds.json", "accelerate.yaml:ds.json", "shardlint.toml:ds.json"]


def referring(name: str, marked: str, declaration: bool = False) -> list[str]:
    text, offset = caret(marked)
    look = look_after_walk({**FILES, name: text}, name)
    return shown(look, references(look, offset, declaration))


@pytest.mark.parametrize("marked", ["|" + DS, DS.replace("zero_opt", "zero|_opt"), DS + "|"])
def test_those_that_name_the_open_file(marked: str) -> None:
    assert sorted(referring("ds.json", marked)) == sorted(NAMING_DS)


def test_a_plain_value_has_no_references() -> None:
    assert referring("ds.json", DS.replace('"stage": 3', '"stage": |3')) == []


def test_its_declaration_is_the_start_of_the_file() -> None:
    found = referring("ds.json", "|" + DS, declaration=True)
    assert found[0] == "ds.json" and sorted(found[1:]) == sorted(NAMING_DS)


def test_on_a_path_all_places_that_name_the_same_file() -> None:
    found = referring("train.yaml", TRAIN.replace("ds.json", "ds|.json"))
    assert sorted(found) == sorted(NAMING_DS)


def test_a_hostfile_is_named_by_the_launcher() -> None:
    assert referring("hostfile", HOSTFILE.replace("worker-2", "work|er-2")) == ["accelerate.yaml:hostfile"]


def test_of_a_path_in_settings() -> None:
    text = FILES["shardlint.toml"].replace('match = ["ds.json"', 'match = ["d|s.json"')
    assert sorted(referring("shardlint.toml", text)) == sorted(NAMING_DS)


@pytest.mark.parametrize("marked", ["&ra|te 1\n", "&rate 1\nwarmup_steps: *rate|\n"])
def test_an_anchor_is_used_by_its_aliases(marked: str) -> None:
    rest = "" if "*" in marked else "warmup_steps: *rate\n"
    text = f"output_dir: o\nper_device_train_batch_size: 1\nlearning_rate: {marked}{rest}seed: *rate\n"
    assert referring("train.yaml", text) == ["train.yaml:*rate"] * 2
    assert referring("train.yaml", text, declaration=True) == ["train.yaml:&rate", *["train.yaml:*rate"] * 2]


def test_a_key_that_fills_others() -> None:
    marked = TRAIN.replace("learning_rate", "learn|ing_rate")
    assert referring("train.yaml", marked) == ['ds.json:"lr"']
    assert referring("train.yaml", marked, declaration=True) == ["train.yaml:learning_rate", 'ds.json:"lr"']


def test_a_file_nobody_names_or_recognises() -> None:
    assert referring("other.json", '|{"a": 1}') == []
    assert referring("train.yaml", "|" + TRAIN) == ["shardlint.toml:train.yaml"]


def test_a_file_that_is_gone_refers_to_nothing() -> None:
    look = look_after_walk(FILES, "hostfile")
    (look.root.folder / "accelerate.yaml").unlink()
    assert references(look, 0) == []


def test_before_the_folder_is_walked_only_what_is_known(tmp_path: Path) -> None:
    look = look_at({"ds.json": DS, "train.yaml": TRAIN}, "ds.json", folder=tmp_path)
    assert references(look, 0) == []
