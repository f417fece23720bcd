"""Diagnostics an editor asks for: names of results, related files, answers that are out of date."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import Wire, served
from shardlint_lsp.result_ids import NOTHING

BROKEN = '{"zero_optimization": {"stage": 7}}'
RELATED = {
    "textDocument": {"diagnostic": {"relatedDocumentSupport": True}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
LAUNCHER = (
    "distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: ds.json\nnum_processes: 8\n"
)


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    with served() as made:
        made.start(tmp_path, capabilities=RELATED)
        yield made


def pulled(wire: Wire, path: Path, previous: str | None = None) -> Any:
    return wire.answer(asked(wire, path, previous))["result"]


def asked(wire: Wire, path: Path, previous: str | None = None) -> int:
    more = {"previousResultId": previous} if previous else {}
    return wire.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}, **more})


def test_the_same_result_has_the_same_name(wire: Wire, tmp_path: Path) -> None:
    path = tmp_path / "ds.json"
    wire.open(path.as_uri(), BROKEN)
    first = pulled(wire, path)
    assert first["kind"] == "full" and first["items"]
    again = pulled(wire, path, first["resultId"])
    assert again == {"kind": "unchanged", "resultId": first["resultId"]}
    wire.change(path.as_uri(), BROKEN + "\n\n")
    assert pulled(wire, path, first["resultId"])["kind"] == "unchanged"
    wire.change(path.as_uri(), "{}", 3)
    assert pulled(wire, path, first["resultId"])["items"] == []


def test_nothing_is_pushed(wire: Wire, tmp_path: Path) -> None:
    path = tmp_path / "ds.json"
    wire.open(path.as_uri(), BROKEN)
    pulled(wire, path)
    wire.close(path.as_uri())
    wire.alive()
    assert not [said for said in wire.heard if said.get("method") == "textDocument/publishDiagnostics"]


def test_a_file_that_is_not_open_is_read_from_the_disk(wire: Wire, tmp_path: Path) -> None:
    (tmp_path / "ds.json").write_text(BROKEN)
    assert pulled(wire, tmp_path / "ds.json")["items"]
    assert pulled(wire, tmp_path / "absent.json")["items"] == []


def test_closed_files_come_with_the_text_they_belong_to(wire: Wire, tmp_path: Path) -> None:
    launcher, config = tmp_path / "accelerate.yaml", tmp_path / "ds.json"
    config.write_text(BROKEN)
    wire.open(launcher.as_uri(), LAUNCHER, "yaml")
    related = pulled(wire, launcher)["relatedDocuments"]
    assert related[config.as_uri()]["items"]
    wire.change(launcher.as_uri(), LAUNCHER.replace("ds.json", "other.json"))
    assert pulled(wire, launcher)["relatedDocuments"] == {
        config.as_uri(): {
            "kind": "full",
            "items": [],
            "resultId": NOTHING,
        }
    }
    assert "relatedDocuments" not in pulled(wire, launcher)


def test_what_a_closed_text_showed_is_cleared_with_the_next(wire: Wire, tmp_path: Path) -> None:
    launcher, config, other = (tmp_path / name for name in ("accelerate.yaml", "ds.json", "other.json"))
    config.write_text(BROKEN)
    wire.open(launcher.as_uri(), LAUNCHER, "yaml")
    assert config.as_uri() in pulled(wire, launcher)["relatedDocuments"]
    wire.close(launcher.as_uri())
    wire.open(other.as_uri(), "{}")
    assert pulled(wire, other)["relatedDocuments"][config.as_uri()]["items"] == []


def test_an_open_file_is_asked_for_by_itself(wire: Wire, tmp_path: Path) -> None:
    launcher, config = tmp_path / "accelerate.yaml", tmp_path / "ds.json"
    wire.open(config.as_uri(), BROKEN)
    wire.open(launcher.as_uri(), LAUNCHER, "yaml")
    assert "relatedDocuments" not in pulled(wire, launcher)
    assert pulled(wire, config)["items"]


def test_a_text_that_changes_meanwhile(wire: Wire, tmp_path: Path) -> None:
    path = tmp_path / "ds.json"
    keys = "".join(f'"key_{number}": {number}, ' for number in range(4000))
    wire.open(path.as_uri(), BROKEN.replace("{", "{" + keys, 1))
    number = asked(wire, path)
    time.sleep(0.05)
    wire.change(path.as_uri(), "{}")
    answer = wire.answer(number)
    assert answer["error"]["code"] == -32801
    assert pulled(wire, path)["items"] == []


def test_a_request_that_is_cancelled(wire: Wire, tmp_path: Path) -> None:
    path = tmp_path / "ds.json"
    wire.open(path.as_uri(), BROKEN)
    numbers = [asked(wire, path) for _ in range(5)]
    for number in numbers[1:]:
        wire.tell("$/cancelRequest", {"id": number})
    answers = [wire.answer(number) for number in numbers]
    assert "result" in answers[0]
    assert all(said.get("error", {"code": -32800})["code"] == -32800 for said in answers[1:])
    wire.alive()
