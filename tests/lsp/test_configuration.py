"""Settings of the editor: said at the start, asked for per folder, pushed; and files that change outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import Wire, served
from shardlint_lsp.preferences import Preferences, preferences_of

BATCH = '{"train_batch_size": 64, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 2}'
LAUNCHER = """\
distributed_type: DEEPSPEED
num_processes: 16
deepspeed_config:
  deepspeed_config_file: ds.json
"""
ASKED = {
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "diagnostics": {"refreshSupport": True},
    }
}


@pytest.fixture
def wire() -> Iterator[Wire]:
    with served() as made:
        yield made


def mismatch(found: list[Any]) -> bool:
    return any("train_batch_size" in one["message"] and one["severity"] == 1 for one in found)


def matches(found: list[Any]) -> bool:
    return not mismatch(found)


def test_options_of_the_start(wire: Wire, tmp_path: Path) -> None:
    wire.start(tmp_path, initializationOptions={"world_size": 16})
    uri = (tmp_path / "ds.json").as_uri()
    wire.open(uri, BATCH)
    assert wire.diagnostics(uri, mismatch)


def test_settings_that_are_pushed(wire: Wire, tmp_path: Path) -> None:
    wire.start(tmp_path)
    uri = (tmp_path / "ds.json").as_uri()
    wire.open(uri, BATCH)
    wire.diagnostics(uri, matches)
    wire.tell("workspace/didChangeConfiguration", {"settings": {"shardlint": {"world_size": 16}}})
    assert wire.diagnostics(uri, mismatch)
    since = len(wire.heard)
    wire.tell("workspace/didChangeConfiguration", {"settings": {"shardlint": {"world_size": 8}}})
    wire.diagnostics(uri, matches, since)
    for odd in (None, [], 3, {"shardlint": 4}):
        wire.tell("workspace/didChangeConfiguration", {"settings": odd})
    wire.alive()


def test_settings_are_asked_for_by_folder(wire: Wire, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    sizes = {one.as_uri(): 8, two.as_uri(): 16}
    for folder in (one, two):
        folder.mkdir()
    wire.answers["workspace/configuration"] = lambda params: [
        {"world_size": sizes[item["scopeUri"]]} if item.get("scopeUri") in sizes else None
        for item in params["items"]
    ]
    folders = [{"uri": folder.as_uri(), "name": folder.name} for folder in (one, two)]
    wire.start(capabilities=ASKED, workspaceFolders=folders)
    for method in REGISTERED:
        assert wire.note("client/registerCapability", lambda said, method=method: _registers(said, method))
    wire.note("workspace/configuration")
    wire.open((two / "ds.json").as_uri(), BATCH)
    assert wire.diagnostics((two / "ds.json").as_uri(), mismatch)
    wire.open((one / "ds.json").as_uri(), BATCH)
    wire.diagnostics((one / "ds.json").as_uri(), matches)
    since = len(wire.heard)
    sizes[one.as_uri()] = 32
    wire.tell("workspace/didChangeConfiguration", {"settings": None})
    assert wire.diagnostics((one / "ds.json").as_uri(), mismatch, since)
    wire.note("workspace/diagnostic/refresh", since=since)


def test_folders_come_and_go(wire: Wire, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    folder.mkdir()
    wire.answers["workspace/configuration"] = lambda params: [
        {"world_size": 16} if item.get("scopeUri") == folder.as_uri() else None for item in params["items"]
    ]
    wire.start(capabilities=ASKED)
    uri = (folder / "ds.json").as_uri()
    wire.open(uri, BATCH)
    wire.diagnostics(uri, matches)
    named = {"uri": folder.as_uri(), "name": "job"}
    wire.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [named], "removed": []}})
    wire.diagnostics(uri, mismatch)
    since = len(wire.heard)
    wire.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [named]}})
    wire.diagnostics(uri, matches, since)


def test_problems_are_one_line_each(wire: Wire, tmp_path: Path) -> None:
    said = {"world_siz": 8, "inlayHint": True, "syntax": "loud", "model": {"params": "many"}}
    wire.start(tmp_path, initializationOptions=said)
    lines = [
        wire.note("window/logMessage", lambda one, word=word: word in one["message"])["message"]
        for word in ("world_siz ", "inlayHint ", "syntax", "model.params")
    ]
    assert "did you mean world_size" in lines[0]
    assert "did you mean inlayHints" in lines[1]
    assert all("\n" not in line for line in lines)


def test_what_an_extension_keeps_for_itself_is_no_setting() -> None:
    said = {"command": ["shardlint", "lsp"], "trace": {"server": "off"}, "trace.server": "off", "nodes": 2}
    assert preferences_of({"shardlint": said}) == Preferences(facts={"nodes": 2})


@pytest.mark.parametrize("answer", [None, [], [None], {"world_size": 16}, "x", [3]])
def test_odd_answers(wire: Wire, tmp_path: Path, answer: object) -> None:
    wire.answers["workspace/configuration"] = lambda _: answer
    wire.start(tmp_path, capabilities=ASKED, initializationOptions={"world_size": 16})
    wire.note("workspace/configuration")
    uri = (tmp_path / "ds.json").as_uri()
    wire.open(uri, BATCH)
    assert wire.diagnostics(uri)
    wire.alive()


def test_files_that_change_outside(wire: Wire, tmp_path: Path) -> None:
    wire.start(tmp_path, capabilities=ASKED)
    uri = (tmp_path / "ds.json").as_uri()
    wire.open(uri, BATCH)
    wire.diagnostics(uri, matches)
    settings = tmp_path / "shardlint.toml"
    for count, wanted in ((16, mismatch), (8, matches)):
        since = len(wire.heard)
        settings.write_text(f"[facts]\nworld_size = {count}\n")
        changed(wire, settings)
        wire.diagnostics(uri, wanted, since)
        wire.note("workspace/diagnostic/refresh", since=since)
    since = len(wire.heard)
    launcher = tmp_path / "accelerate.yaml"
    settings.unlink()
    changed(wire, settings, 3)
    launcher.write_text(LAUNCHER)
    changed(wire, launcher, 1)
    wire.diagnostics(uri, mismatch, since)


def test_files_that_are_not_ours_are_passed_over(wire: Wire, tmp_path: Path) -> None:
    wire.start(tmp_path, capabilities=ASKED)
    uri = (tmp_path / "ds.json").as_uri()
    wire.open(uri, BATCH)
    wire.diagnostics(uri)
    wire.note("workspace/configuration")
    wire.alive()
    since = len(wire.heard)
    state = tmp_path / "trainer_state.json"
    state.write_text('{"log_history": []}')
    changed(wire, state, 1)
    wire.alive()
    wire.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}})
    assert not [m for m in wire.heard[since:] if m.get("method") == "textDocument/publishDiagnostics"]


def test_the_walk_finds_who_names_an_open_file(wire: Wire, tmp_path: Path) -> None:
    (tmp_path / "launch").mkdir()
    (tmp_path / "launch" / "accelerate.yaml").write_text(LAUNCHER)
    wire.start(tmp_path)
    uri = (tmp_path / "ds.json").as_uri()
    (tmp_path / "ds.json").write_text(BATCH)
    wire.open(uri, BATCH)
    assert wire.diagnostics(uri, mismatch)


REGISTERED = ("workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles")


def _registers(said: Any, method: str) -> bool:
    return any(one["method"] == method for one in said["registrations"])


def changed(wire: Wire, path: Path, kind: int = 2) -> None:
    wire.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})
