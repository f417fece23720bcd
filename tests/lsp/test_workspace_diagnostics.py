"""Diagnostics of files that are not open: what a lint of the folder finds, pulled or pushed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus import corpus_root, requires_corpus
from lsp.wire import Wire, served
from shardlint.engine import Options, lint

BROKEN = '{"zero_optimization": {"stage": 7}}'
LAUNCHER = (
    "distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: ds.json\nnum_processes: 8\n"
)
OPTIONS = {"workspaceDiagnostics": True, "maxWorkspaceFiles": 5000}
PULLS = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
    "window": {"workDoneProgress": True},
}
PUSHED = {"window": {"workDoneProgress": True}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files that name each other, a group of the settings, a shared file, a circle, and one left alone."""
    texts = {
        "ds.json": BROKEN,
        "accelerate.yaml": LAUNCHER,
        "train.yaml": "per_device_train_batch_size: 1\nnum_train_epochs: 1\ndeepspeed: ds.json\nfp16: 3\n",
        "lone.json": BROKEN.replace("7", "8"),
        "job/a.json": '{"zero_optimization": {"stage": 3}, "zero_optimisation": 3}',
        "job/b.yaml": "distributed_type: DEEPSPEED\nnum_processes: 3\n",
        "job/shardlint.toml": '[[jobs]]\nfiles = ["a.json", "b.yaml", "c.json"]\n[facts]\nworld_siz = 3\n',
        "names/one.yaml": LAUNCHER.replace("ds.json", "two.json"),
        "names/two.json": BROKEN,
        "shardlint.toml": "[facts]\nworld_size = 4\nworld_siz = 3\n",
        "other.json": "{}",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def wire() -> Iterator[Wire]:
    with served() as made:
        yield made


def linted(folder: Path) -> Counter[tuple[str, str]]:
    """What a lint of a folder says, by file."""
    found = lint([folder], Options(root=folder)).findings
    return Counter(((folder / one.place.path).as_uri(), one.rule) for one in found)


def told(items: list[Any]) -> Counter[tuple[str, str]]:
    return Counter((item["uri"], one["code"]) for item in items for one in item["items"])


def request(wire: Wire, known: dict[str, str] | None = None, **more: Any) -> int:
    ids = [{"uri": uri, "value": value} for uri, value in (known or {}).items()]
    return wire.request("workspace/diagnostic", {"previousResultIds": ids, **more})


def pull(wire: Wire, known: dict[str, str] | None = None) -> list[Any]:
    return wire.answer(request(wire, known))["result"]["items"]


def names(items: list[Any]) -> dict[str, str]:
    return {item["uri"]: item["resultId"] for item in items}


def partly(wire: Wire, token: str) -> list[Any]:
    """What came in parts, of each file the last."""
    notes = [said["params"] for said in wire.heard if said.get("method") == "$/progress"]
    parts = [item for said in notes if said["token"] == token for item in said["value"]["items"]]
    return [*{item["uri"]: item for item in parts}.values()]


def pushed(wire: Wire) -> Counter[tuple[str, str]]:
    notes = [said["params"] for said in wire.heard if said.get("method") == "textDocument/publishDiagnostics"]
    last = {said["uri"]: said["diagnostics"] for said in notes}
    return Counter((uri, one["code"]) for uri, found in last.items() for one in found)


def until(wire: Wire, wanted: Counter[tuple[str, str]]) -> None:
    """Wait until what was pushed is what is wanted."""
    end = time.monotonic() + 20
    while pushed(wire) != wanted:
        assert time.monotonic() < end, (pushed(wire) - wanted, wanted - pushed(wire))
        wire.alive()
        time.sleep(0.05)


def test_a_pull_tells_what_a_lint_of_the_folder_finds(wire: Wire, folder: Path) -> None:
    wire.start(folder, capabilities=PULLS, initializationOptions=OPTIONS)
    assert told(pull(wire)) == linted(folder)


def test_nothing_without_being_asked_for(wire: Wire, folder: Path) -> None:
    wire.start(folder, capabilities=PULLS)
    assert pull(wire) == []


def test_no_more_files_than_the_user_wants(wire: Wire, folder: Path) -> None:
    wire.start(folder, capabilities=PULLS, initializationOptions={**OPTIONS, "maxWorkspaceFiles": 2})
    assert {Path(item["uri"]).parent.name for item in pull(wire)} == {folder.name}
    assert "maxWorkspaceFiles" in wire.note("window/logMessage")["message"]


def test_what_is_known_is_not_told_again(wire: Wire, folder: Path) -> None:
    wire.start(folder, capabilities=PULLS, initializationOptions=OPTIONS)
    known = names(pull(wire))
    held = request(wire, known)
    wire.alive()
    assert not [said for said in wire.heard if said.get("id") == held]
    (folder / "lone.json").write_text("{}")
    event = {"uri": (folder / "lone.json").as_uri(), "type": 2}
    wire.tell("workspace/didChangeWatchedFiles", {"changes": [event]})
    (item,) = wire.answer(held)["result"]["items"]
    assert item["uri"] == event["uri"] and item["items"] == []


def test_an_edit_of_an_open_text_shows_in_the_files_it_names(wire: Wire, folder: Path) -> None:
    wire.start(folder, capabilities=PULLS, initializationOptions=OPTIONS)
    uri = (folder / "accelerate.yaml").as_uri()
    wire.open(uri, LAUNCHER, "yaml")
    known = names(pull(wire))
    assert uri not in known
    held = request(wire, known)
    wire.change(uri, LAUNCHER.replace("ds.json", "lone.json"))
    changed = {item["uri"] for item in wire.answer(held)["result"]["items"]}
    assert (folder / "lone.json").as_uri() in changed or (folder / "ds.json").as_uri() in changed


def test_parts_and_progress(wire: Wire, folder: Path) -> None:
    wire.start(folder, capabilities=PULLS, initializationOptions=OPTIONS)
    number = request(wire, partialResultToken="parts", workDoneToken="bar")
    assert wire.answer(number)["result"]["items"] == []
    assert told(partly(wire, "parts")) == linted(folder)
    bar = [m["params"]["value"]["kind"] for m in wire.heard if m.get("params", {}).get("token") == "bar"]
    assert bar[0] == "begin" and bar[-1] == "end"


def test_a_push_tells_the_same_and_clears(wire: Wire, folder: Path) -> None:
    wire.start(folder, initializationOptions=OPTIONS)
    until(wire, linted(folder))
    lone, uri = folder / "lone.json", (folder / "lone.json").as_uri()
    wire.open(uri, "{}")
    until(wire, linted(folder) - Counter({key: 9 for key in linted(folder) if key[0] == uri}))
    wire.close(uri)
    until(wire, linted(folder))
    lone.unlink()
    wire.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 3}]})
    until(wire, linted(folder))
    wire.tell("workspace/didChangeConfiguration", {"settings": {"shardlint": {"codeLens": False}}})
    until(wire, Counter())


@requires_corpus
@pytest.mark.parametrize("capabilities", [PULLS, PUSHED], ids=["pull", "push"])
def test_the_corpus(wire: Wire, capabilities: dict[str, Any]) -> None:
    """Complete, and an edit meanwhile is answered at once."""
    root = corpus_root()
    assert root is not None
    wire.start(root, capabilities=capabilities, initializationOptions=OPTIONS)
    number = request(wire, partialResultToken="parts")
    uri = "untitled:edited"
    wire.open(uri, BROKEN)
    waits: list[float] = []
    while not [said for said in wire.heard if said.get("id") == number and "method" not in said]:
        began = time.monotonic()
        wire.change(uri, BROKEN + " " * (len(waits) % 9), len(waits) + 2)
        if capabilities is PULLS:
            wire.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        else:
            wire.note("textDocument/publishDiagnostics", since=len(wire.heard))
        waits.append(time.monotonic() - began)
        time.sleep(0.02)
    found = told(partly(wire, "parts"))
    wanted = linted(root)
    assert found == wanted, (found - wanted, wanted - found)
    if capabilities is PUSHED:
        assert pushed(wire) - Counter({key: 9 for key in pushed(wire) if key[0] == uri}) == wanted
        bars = [said for said in wire.heard if said.get("method") == "window/workDoneProgress/create"]
        assert bars
    assert sorted(waits)[len(waits) * 95 // 100] < 1.0


@requires_corpus
def test_the_user_may_cancel(wire: Wire) -> None:
    root = corpus_root()
    assert root is not None
    wire.start(root, capabilities=PUSHED, initializationOptions=OPTIONS)
    token = wire.note("$/progress", lambda said: said["value"]["kind"] == "begin")["token"]
    wire.tell("window/workDoneProgress/cancel", {"token": token})
    end = wire.note("$/progress", lambda said: said["value"]["kind"] == "end")["value"]
    done, _, total, *_ = end["message"].split()
    assert int(done) < int(total)
    wire.alive()
