"""Definitions: of paths, aliases and keys another file fills."""

from __future__ import annotations

import pytest

from lsp.looks import caret, look_at
from lsp.navigation import ACCELERATE, DS, FILES, TRAIN, look_after_walk, shown
from shardlint_lsp.features.definition import definition


def defined(name: str, marked: str, **files: str) -> tuple[str, list[str]] | None:
    text, offset = caret(marked)
    look = look_at({**FILES, **files, name: text}, name)
    found = definition(look, offset)
    if found is None:
        return None
    return text[found.origin.start : found.origin.end], shown(look, found.targets)


def test_a_path_is_defined_by_its_file() -> None:
    assert defined("train.yaml", TRAIN.replace("ds.json", "ds|.json")) == ("ds.json", ["ds.json"])


def test_the_cursor_may_stand_behind_the_last_letter() -> None:
    assert defined("train.yaml", TRAIN.replace("ds.json", "ds.json|")) == ("ds.json", ["ds.json"])


def test_a_path_in_settings() -> None:
    assert defined("shardlint.toml", '[[jobs]]\nfiles = ["tr|ain.yaml"]\n') == ("train.yaml", ["train.yaml"])


def test_an_alias_is_defined_by_its_anchor() -> None:
    marked = "output_dir: out\nlearning_rate: &rate 1\nwarmup_steps: *r|ate\nper_device_train_batch_size: 1\n"
    assert defined("train.yaml", marked) == ("*rate", ["train.yaml:&rate"])


def test_of_anchors_of_one_name_the_one_before_the_alias_counts() -> None:
    marked = (
        "output_dir: out\nlearning_rate: &a 1\nweight_decay: *a\nwarmup_steps: &a 2\nseed: *a|\n"
        "per_device_train_batch_size: 1 # &a \n"
    )
    text, offset = caret(marked)
    look = look_at({"train.yaml": text}, "train.yaml")
    found = definition(look, offset)
    assert found is not None and found.targets[0].span.start == text.index("&a 2")


def test_an_alias_of_a_section_leads_to_the_anchor_before_it() -> None:
    marked = (
        "distributed_type: DEEPSPEED\nbase: &base # &base here\n  a: 1\n"
        "deepspeed_config:\n  <<: *ba|se\nmachine_rank: 0\n"
    )
    text, offset = caret(marked)
    found = definition(look_at({"a.yaml": text}, "a.yaml"), offset)
    assert found is not None and found.targets[0].span.start == text.index("&base")


@pytest.mark.parametrize("marked", ['"l|r": "auto"', '"lr": "a|uto"'])
def test_a_filled_key_is_defined_where_it_is_filled_from(marked: str) -> None:
    text, offset = caret(DS.replace('"lr": "auto"', marked))
    look = look_after_walk({**FILES, "ds.json": text}, "ds.json")
    found = definition(look, offset)
    assert found is not None
    assert text[found.origin.start : found.origin.end] == ('"lr"' if marked.startswith('"l|') else '"auto"')
    assert shown(look, found.targets) == ["train.yaml:learning_rate"]


def test_a_key_that_nobody_fills_is_defined_by_itself() -> None:
    text, offset = caret(DS.replace('"lr"', '"l|r"'))
    assert definition(look_at({"ds.json": text}, "ds.json"), offset) is None


def test_nothing_is_defined_elsewhere_at_a_plain_value() -> None:
    assert defined("accelerate.yaml", ACCELERATE.replace("DEEPSPEED", "DEEP|SPEED")) is None


def test_a_file_nobody_recognises_defines_nothing() -> None:
    assert defined("other.yaml", "a: &x 1\nb: *x|\n") is None


def test_half_typed_text_has_definitions_all_the_same() -> None:
    marked = "output_dir: out\nper_device_train_batch_size: 4\ndeepspeed: ds.js|on\nlearning_rate: [\n"
    assert defined("train.yaml", marked) == ("ds.json", ["ds.json"])
