"""Links: on each path that leads to a file, and on nothing else."""

from __future__ import annotations

import pytest

from lsp.looks import look_at
from lsp.navigation import FILES
from shardlint_lsp.features.document_links import tooltip
from shardlint_lsp.navigation.mentions import mentions


def linked(name: str, **changed: str) -> list[tuple[str, str]]:
    files = FILES | {path.replace("_", "."): text for path, text in changed.items()}
    look = look_at(files, name)
    return [
        (m.document.text[m.span.start : m.span.end], look.root.workspace.display(m.path))
        for m in mentions(look)
    ]


def test_a_path_in_training_arguments() -> None:
    assert linked("train.yaml") == [("ds.json", "ds.json")]


def test_quotes_are_no_part_of_a_link_and_a_hostfile_is_linked() -> None:
    assert linked("accelerate.yaml") == [("ds.json", "ds.json"), ("hostfile", "hostfile")]


def test_settings_link_members_of_jobs_plain_patterns_models_and_launch_files() -> None:
    """Neither a file that is not there nor a pattern."""
    assert linked("shardlint.toml") == [
        ("models/tiny", "models/tiny/config.json"),
        ("accelerate.yaml", "accelerate.yaml"),
        ("train.yaml", "train.yaml"),
        ("accelerate.yaml", "accelerate.yaml"),
        ("ds.json", "ds.json"),
    ]


def test_the_settings_of_a_project_file_are_below_its_table() -> None:
    text = '[project]\nname = "ds.json"\n[tool.shardlint]\nfiles = [{match = "ds.json"}]\n'
    files = {"ds.json": FILES["ds.json"], "pyproject.toml": text}
    found = mentions(look_at(files, "pyproject.toml"))
    assert [(m.span.start, m.path.name) for m in found] == [(text.rindex("ds.json"), "ds.json")]


@pytest.mark.parametrize(
    "text",
    [
        "output_dir: out\ndeepspeed: missing.json\nlearning_rate: 1\nper_device_train_batch_size: 1\n",
        "output_dir: out\ndeepspeed: ${DS}\nlearning_rate: 1\nper_device_train_batch_size: 1\n",
        "output_dir: out\ndeepspeed: \nlearning_rate: 1\nper_device_train_batch_size: 1\n",
    ],
)
def test_what_leads_nowhere_is_no_link(text: str) -> None:
    assert linked("train.yaml", train_yaml=text) == []


def test_a_file_nobody_recognises_has_no_links() -> None:
    assert linked("other.yaml", other_yaml="deepspeed_path: ds.json\nname: ds.json\n") == []


def test_the_tooltip_names_the_file() -> None:
    look = look_at(FILES, "train.yaml")
    assert tooltip(look, mentions(look)[0]) == "Open ds.json"
