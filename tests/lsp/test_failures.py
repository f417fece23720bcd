"""A fault of ours is one logged message, and the server lives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import Wire, spawned

BROKEN = '{"zero_optimization": {"stage": 7}}'
FAULTS = '''
"""A rule and two features that fail."""
from shardlint.checks.registry import rule
from shardlint.formats.reading import Reading
from shardlint.report import ERROR

@rule("ZZZ999", "always-fails", severity=ERROR, since="0.1.0")
def check(reading: Reading):
    """A rule that raises."""
    raise KeyError("nothing there")

import shardlint_lsp.main as main

plain = main.server

def server():
    made = plain()

    @made.feature("shardlint/fails")
    async def fails(params):
        return 1 / 0

    @made.feature("shardlint/failsToo")
    def fails_too(params):
        raise RuntimeError("no")

    return made

main.server = server
'''


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    (tmp_path / "sitecustomize.py").write_text(FAULTS)
    paths = os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", "")))
    with spawned(environment={"PYTHONPATH": paths}) as made:
        made.start(tmp_path)
        yield made


def logged(wire: Wire, word: str) -> list[Any]:
    notes = [said["params"] for said in wire.heard if said.get("method") == "window/logMessage"]
    return [said for said in notes if word in said["message"]]


def test_a_rule_that_raises(wire: Wire, tmp_path: Path) -> None:
    uri = (tmp_path / "ds.json").as_uri()
    wire.open(uri, BROKEN)
    assert wire.diagnostics(uri, bool)
    for version in range(2, 6):
        since = len(wire.heard)
        wire.change(uri, BROKEN + " " * version, version)
        assert wire.diagnostics(uri, bool, since)
    (said,) = logged(wire, "always-fails")
    assert "KeyError" in said["message"] and "\n" not in said["message"]


def test_a_feature_that_raises(wire: Wire) -> None:
    for _ in range(3):
        error = wire.ask("shardlint/fails", {})["error"]
        assert error["code"] == -32603 and "ZeroDivisionError" in error["message"]
    wire.tell("shardlint/failsToo", {})
    wire.alive()
    (said,) = logged(wire, "shardlint/fails ")
    assert said["type"] == 1
    assert wire.note(
        "window/logMessage", lambda said: said["message"] == "shardlint/failsToo failed with RuntimeError: no"
    )


def test_a_trace(wire: Wire, tmp_path: Path) -> None:
    wire.alive()
    assert not [said for said in wire.heard if said.get("method") == "$/logTrace"]
    wire.tell("$/setTrace", {"value": "verbose"})
    wire.open((tmp_path / "ds.json").as_uri(), BROKEN)
    assert "stage" in wire.note("$/logTrace", lambda said: "didOpen" in said["message"])["verbose"]
    wire.tell("$/setTrace", {"value": "messages"})
    where = {
        "textDocument": {"uri": (tmp_path / "ds.json").as_uri()},
        "position": {"line": 0, "character": 3},
    }
    wire.ask("textDocument/hover", where)
    assert "verbose" not in wire.note("$/logTrace", lambda said: "hover answered in" in said["message"])
    wire.tell("$/setTrace", {"value": "off"})
    wire.alive()
    since = len(wire.heard)
    wire.ask("textDocument/hover", where)
    assert not [said for said in wire.heard[since:] if said.get("method") == "$/logTrace"]
