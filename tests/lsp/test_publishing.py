"""What is pushed in the end is true, whatever came in between."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import Wire, served

BROKEN = '{"zero_optimization": {"stage": 7}}'
LAUNCHER = """\
distributed_type: DEEPSPEED
deepspeed_config:
  deepspeed_config_file: ds.json
num_processes: 8
"""


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    with served() as made:
        made.start(tmp_path)
        yield made


def published(wire: Wire) -> list[Any]:
    return [said["params"] for said in wire.heard if said.get("method") == "textDocument/publishDiagnostics"]


def last(wire: Wire, uri: str) -> list[Any]:
    """What is shown of a file once nothing has come for a while."""
    before = -1
    while before != (before := len(published(wire))):
        time.sleep(0.3)
        wire.alive()
    return next((said["diagnostics"] for said in reversed(published(wire)) if said["uri"] == uri), [])


def test_many_edits_at_full_speed(wire: Wire, tmp_path: Path) -> None:
    uri = (tmp_path / "ds.json").as_uri()
    wire.open(uri, BROKEN)
    for version in range(2, 300):
        wire.change(uri, BROKEN if version % 2 else "{}", version)
    found = wire.note(
        "textDocument/publishDiagnostics", lambda said: said["uri"] == uri and said["version"] == 299
    )
    assert found["diagnostics"]
    versions = [said["version"] for said in published(wire)]
    assert versions == sorted(versions)


def test_closed_while_a_look_is_pending(wire: Wire, tmp_path: Path) -> None:
    uri = (tmp_path / "ds.json").as_uri()
    for _ in range(20):
        wire.open(uri, BROKEN)
        wire.close(uri)
    assert last(wire, uri) == []
    wire.open(uri, BROKEN)
    assert wire.diagnostics(uri, bool)
    wire.change(uri, BROKEN + " ")
    wire.close(uri)
    assert last(wire, uri) == []


def test_a_file_is_not_named_any_more(wire: Wire, tmp_path: Path) -> None:
    launcher, config = (tmp_path / "accelerate.yaml").as_uri(), (tmp_path / "ds.json").as_uri()
    (tmp_path / "ds.json").write_text(BROKEN)
    wire.open(launcher, LAUNCHER, "yaml")
    assert wire.diagnostics(config, bool)
    wire.change(launcher, LAUNCHER.replace("ds.json", "other.json"))
    wire.diagnostics(config, lambda found: not found)
    wire.change(launcher, LAUNCHER, 3)
    wire.open(config, "{}")
    assert last(wire, config) == []
    wire.close(config)
    assert last(wire, config), "the launcher still shows the file as it is on the disk"
    wire.close(launcher)
    assert last(wire, config) == []


def test_two_texts_show_a_third(wire: Wire, tmp_path: Path) -> None:
    first, second = (tmp_path / "one.yaml").as_uri(), (tmp_path / "two.yaml").as_uri()
    config = (tmp_path / "ds.json").as_uri()
    (tmp_path / "ds.json").write_text(BROKEN)
    wire.open(first, LAUNCHER, "yaml")
    wire.open(second, LAUNCHER, "yaml")
    assert wire.diagnostics(config, bool)
    wire.close(first)
    assert last(wire, config)
    wire.close(second)
    assert last(wire, config) == []


def test_one_file_under_two_names(wire: Wire, tmp_path: Path) -> None:
    plain = (tmp_path / "ds.json").as_uri()
    odd = plain.replace("ds.json", "d%73.json")
    wire.open(plain, BROKEN)
    assert wire.diagnostics(plain, bool)
    wire.open(odd, BROKEN)
    assert wire.diagnostics(odd, bool)
    assert last(wire, plain) == []
    wire.close(odd)
    assert last(wire, odd) == []


def test_settings_speak_before_they_are_saved_and_no_more_once_they_are_given_up(
    wire: Wire, tmp_path: Path
) -> None:
    saved = "[facts]\nworld_size = 8\n"
    (tmp_path / "shardlint.toml").write_text(saved)
    uri, settings = (tmp_path / "ds.json").as_uri(), (tmp_path / "shardlint.toml").as_uri()
    wire.open(uri, '{"train_batch_size": 8, "zero_optimization": {"stage": 3}}')
    wire.open(settings, saved)
    assert "indivisible-train-batch" not in {said["code"] for said in last(wire, uri)}
    wire.change(settings, saved.replace("8", "16"), 2)
    assert "indivisible-train-batch" in {said["code"] for said in last(wire, uri)}
    wire.close(settings)
    assert "indivisible-train-batch" not in {said["code"] for said in last(wire, uri)}
