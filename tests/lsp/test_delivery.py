"""Whether diagnostics are sent or asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.wire import served

BROKEN = '{"zero_optimization": {"stage": 7}}'
CONFIG = '{"train_batch_size": 16, "train_micro_batch_size_per_gpu": 1, "gradient_accumulation_steps": 2}'
LAUNCHER = """\
distributed_type: DEEPSPEED
deepspeed_config:
  deepspeed_config_file: ds.json
num_processes: 8
"""
ASKS = {"diagnostic": {}}
TOLD = {"diagnostics": {"refreshSupport": True}}


@pytest.mark.parametrize(
    ("text_document", "workspace", "stated", "pulled"),
    [
        ({}, {}, "auto", False),
        ({}, TOLD, "pull", False),
        (ASKS, {}, "auto", False),
        (ASKS, {}, "pull", True),
        (ASKS, TOLD, "auto", True),
        (ASKS, TOLD, "push", False),
    ],
)
def test_who_begins(text_document: Any, workspace: Any, stated: str, pulled: bool, tmp_path: Path) -> None:
    can = {"textDocument": text_document, "workspace": workspace}
    uri = (tmp_path / "ds.json").as_uri()
    with served() as wire:
        answer = wire.start(tmp_path, capabilities=can, initializationOptions={"diagnostics": stated})
        assert ("diagnosticProvider" in answer["result"]["capabilities"]) is pulled
        wire.open(uri, BROKEN)
        if pulled:
            found = wire.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]["items"]
            assert not [one for one in wire.heard if one.get("method") == "textDocument/publishDiagnostics"]
        else:
            found = wire.diagnostics(uri)
        assert [one["code"] for one in found] == ["value-not-allowed"]


def test_an_editor_that_cannot_be_told_is_sent_what_another_file_changes(tmp_path: Path) -> None:
    paths = {"ds.json": CONFIG, "accelerate.yaml": LAUNCHER}
    for name, text in paths.items():
        (tmp_path / name).write_text(text)
    uris = {name: (tmp_path / name).as_uri() for name in paths}
    with served() as wire:
        wire.start(tmp_path, capabilities={"textDocument": ASKS})
        wire.open(uris["ds.json"], CONFIG)
        wire.open(uris["accelerate.yaml"], LAUNCHER, "yaml")
        wire.diagnostics(uris["ds.json"], lambda found: not _mismatch(found))
        heard = len(wire.heard)
        wire.change(uris["accelerate.yaml"], LAUNCHER.replace("8", "4"))
        wire.diagnostics(uris["ds.json"], _mismatch, heard)


def _mismatch(found: Any) -> bool:
    return any(one["code"] == "batch-triangle-mismatch" for one in found)
