from __future__ import annotations

import json

from cli.reports import batch_report, finding_at
from shardlint.report import Place, Report
from shardlint.syntax.tree import Span
from shardlint.syntax.view import Template
from shardlint_cli.render.json_report import dumps, render
from shardlint_cli.terminal import Screen


def test_the_documented_shape() -> None:
    (text,) = render(batch_report(), Screen())
    found = json.loads(text)
    assert list(found) == ["schema", "jobs", "files", "findings"]
    assert found["schema"] == 1
    assert found["jobs"] == [{"id": "accelerate.yaml"}]
    assert found["files"][1] == {"path": "ds.json", "format": "deepspeed"}
    assert found["findings"][1] == {
        "rule": "batch-mismatch",
        "code": "BAT001",
        "severity": "error",
        "default_severity": "error",
        "confidence": "certain",
        "fails_at": "config",
        "path": "ds.json",
        "key": "train_batch_size",
        "missing": None,
        "start": {"line": 5, "column": 23},
        "end": {"line": 5, "column": 25},
        "message": "train_batch_size 30 is not micro_batch 1 x accumulation 1 x DP 8 = 8; "
        "DeepSpeed refuses to start",
        "help": "One of the three numbers must change.",
        "assumes": [],
        "related": [
            {"path": "accelerate.yaml", "key": "num_processes", "message": "8 processes come from here"}
        ],
        "fixes": [
            {"title": "set train_batch_size to 8", "safe": False},
            {"title": "remove train_batch_size", "safe": True},
        ],
        "jobs": ["accelerate.yaml"],
    }


def test_keys_keep_the_documented_order() -> None:
    (text,) = render(batch_report(), Screen())
    assert list(json.loads(text)["findings"][0]) == [
        "rule", "code", "severity", "default_severity", "confidence", "fails_at", "path", "key", "missing",
        "start", "end", "message", "help", "assumes", "related", "fixes", "jobs",
    ]  # fmt: skip


def test_a_place_without_a_document_has_no_position() -> None:
    (text,) = render(Report((), (finding_at(Place("shardlint.toml", "facts", Span(0, 0))),)), Screen())
    found = json.loads(text)["findings"][0]
    assert (found["start"], found["end"]) == (None, None)


def test_output_is_ascii_and_strict_json_whatever_the_values() -> None:
    values = {"name": "模\ud800", "value": float("nan"), "list": (float("inf"), 1.5)}
    text = dumps({**values, "filled in": Template("${STAGE}")})
    assert text.isascii()
    assert json.loads(text, parse_constant=lambda _: 1 / 0) == {
        "name": "模\ud800",
        "value": "nan",
        "list": ["inf", 1.5],
        "filled in": "${STAGE}",
    }
