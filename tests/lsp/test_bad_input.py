"""Whatever comes over the wire is answered or passed over as the protocol says, and the server lives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import Wire, served

BROKEN = '{"zero_optimization": {"stage": 7}}'


@pytest.fixture
def wire() -> Iterator[Wire]:
    with served() as made:
        yield made


@pytest.fixture
def started(wire: Wire, tmp_path: Path) -> Wire:
    wire.start(tmp_path)
    return wire


def refusal(wire: Wire) -> Any:
    """The error that answers something without an id."""
    return wire.wait(lambda said: "error" in said and said["id"] is None)["error"]


@pytest.mark.parametrize(
    "body",
    [b"{", b"[1, 2", b"\xff\xfe\xfa", b"nul", b"[" * 100_000, b'"' + b"\xc3("],
    ids=["open", "list", "bytes", "word", "deep", "utf-8"],
)
def test_what_is_no_json_is_a_parse_error(started: Wire, body: bytes) -> None:
    started.send(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert refusal(started)["code"] == -32700
    started.alive()


@pytest.mark.parametrize(
    "message",
    [
        [],
        [{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}],
        3,
        None,
        {},
        {"jsonrpc": "1.0", "method": "initialized"},
        {"jsonrpc": "2.0"},
        {"jsonrpc": "2.0", "method": 5},
        {"jsonrpc": "2.0", "method": "shutdown", "id": [1]},
        {"jsonrpc": "2.0", "method": "shutdown", "id": True},
    ],
)
def test_what_is_no_message_is_an_invalid_request(started: Wire, message: object) -> None:
    started.say(message)
    assert refusal(started)["code"] == -32600
    started.alive()


@pytest.mark.parametrize(
    "params",
    [None, [], {}, {"textDocument": 3, "position": {"line": 0, "character": 0}}, "x"],
)
def test_wrong_parameters_are_answered_with_what_is_wrong(started: Wire, params: object) -> None:
    error = started.ask("textDocument/diagnostic", params)["error"]
    assert error["code"] == -32602
    assert "\n" not in error["message"] and error["message"]


def test_a_request_nobody_serves(started: Wire) -> None:
    for method in ("textDocument/moniker", "$/unknown", "no such method", ""):
        assert started.ask(method, {})["error"]["code"] == -32601
    started.alive()


def test_notifications_nobody_knows_are_passed_over(started: Wire) -> None:
    for method in ("$/unknown", "workspace/nothing", "textDocument/didOpen", "textDocument/hover"):
        started.tell(method, {"odd": [1]})
    started.alive()
    assert not [said for said in started.heard if "error" in said and said["id"] is None]


def test_before_initialize(wire: Wire, tmp_path: Path) -> None:
    assert wire.ask("textDocument/hover", {})["error"]["code"] == -32002
    assert wire.ask("shutdown")["error"]["code"] == -32002
    wire.open((tmp_path / "ds.json").as_uri(), BROKEN)
    assert wire.ask("initialize", {"processId": None})["error"]["code"] == -32602
    assert "result" in wire.start(tmp_path)
    assert wire.ask("initialize", {"capabilities": {}})["error"]["code"] == -32600


def test_after_shutdown(started: Wire) -> None:
    assert started.ask("shutdown")["result"] is None
    assert started.ask("shutdown")["error"]["code"] == -32600
    assert started.ask("textDocument/hover", {})["error"]["code"] == -32600
    started.tell("exit")
    assert started.ended() == 0


ROOTS = [
    {},
    {"rootUri": None},
    {"rootUri": "untitled:a"},
    {"rootUri": "file://%zz"},
    {"rootUri": ""},
    {"rootPath": "/no/such/folder"},
    {"workspaceFolders": None},
    {"workspaceFolders": [{"uri": "http://x/y", "name": "x"}]},
]


@pytest.mark.parametrize("root", ROOTS)
def test_a_client_that_says_next_to_nothing(wire: Wire, tmp_path: Path, root: dict[str, Any]) -> None:
    assert "result" in wire.start(**root)
    uri = (tmp_path / "ds.json").as_uri()
    wire.open(uri, BROKEN)
    assert wire.diagnostics(uri, bool)


def test_headers_of_every_kind(started: Wire) -> None:
    body = b'{"jsonrpc": "2.0", "id": "%s", "method": "shardlint/nothing"}'
    sent = [
        (b"a", b"content-length:%d\r\nContent-Type: a/b\r\nContent-Type: c/d; charset=utf8\r\n\r\n%s"),
        (b"b", b"\r\n\r\nContent-Length: %d\n\n%s"),
        (b"c", b"Content-Length: 999999999999999999\r\n\r\nContent-Length: %d\r\n\r\n%s"),
        (b"d", b"Content-Length: many\r\n\r\n{}Content-Length: %d\r\n\r\n%s"),
        (b"e", b"\x00\xffrubbish\nmore\n\nContent-Length: %d\r\n\r\n%s"),
        (b"f", b"Content-Length: -4\r\n\r\nContent-Length: 0\r\n\r\nContent-Length: %d\r\n\r\n%s"),
    ]
    for identity, form in sent:
        told = body % identity
        started.send(form % (len(told), told))
        assert started.answer(identity.decode())["error"]["code"] == -32601


@pytest.mark.parametrize("off", [-9, -1, 1, 40])
def test_a_wrong_length_costs_one_message(started: Wire, off: int) -> None:
    wrong = b'{"jsonrpc": "2.0", "id": "wrong", "method": "shardlint/nothing"}'
    right = b'{"jsonrpc": "2.0", "id": "right", "method": "shardlint/nothing"}'
    started.send(b"Content-Length: %d\r\n\r\n%s" % (len(wrong) + off, wrong))
    started.send(b"Content-Length: %d\r\n\r\n%s" % (len(right), right))
    assert started.answer("right")["error"]["code"] == -32601
    assert refusal(started)["code"] == -32700


def test_a_huge_message(started: Wire, tmp_path: Path) -> None:
    uri = (tmp_path / "ds.json").as_uri()
    started.open(uri, '{"zero_optimization": {"stage": 7}, "x": "' + "y" * 20_000_000 + '"}')
    assert started.diagnostics(uri) == []
    started.change(uri, BROKEN)
    assert started.diagnostics(uri, bool)


def test_positions_outside_the_text(started: Wire, tmp_path: Path) -> None:
    uri = (tmp_path / "ds.json").as_uri()
    started.open(uri, "{}")
    far = {"line": 2**31 - 1, "character": 2**31 - 1}
    change = {"range": {"start": far, "end": far}, "text": "\n"}
    document = {"uri": uri, "version": 2}
    started.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    below = {"start": {"line": -1, "character": -5}, "end": {"line": 0, "character": 0}}
    change = {"range": below, "text": "x"}
    started.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    for line, character in ((-1, 0), (0, -1), (10**6, 0), (0, 10**6), (2**40, 2**70), (0.5, 1)):
        position = {"line": line, "character": character}
        for method in ("hover", "completion", "definition"):
            answer = started.ask(
                f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position}
            )
            assert "result" in answer or answer["error"]["code"] in (-32602, -32601)
    started.change(uri, BROKEN, 3)
    assert started.diagnostics(uri, bool)


def test_texts_out_of_turn(started: Wire, tmp_path: Path) -> None:
    uri = (tmp_path / "ds.json").as_uri()
    started.change(uri, BROKEN)
    started.close(uri)
    started.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    started.open(uri, "{}")
    started.open(uri, BROKEN, version=7)
    assert started.note("textDocument/publishDiagnostics", lambda said: said["version"] == 7)["diagnostics"]
    started.close(uri)
    started.close(uri)
    assert started.diagnostics(uri, lambda said: not said, since=len(started.heard)) == []


@pytest.mark.parametrize(
    "uri", ["", "untitled:Untitled-1", "file:///a%00b.json", "http://[", "nonsense", "git:/a/b.json?x#y"]
)
def test_uris_of_every_kind(started: Wire, uri: str) -> None:
    started.open(uri, BROKEN)
    assert started.diagnostics(uri, bool)
    started.close(uri)
    assert started.diagnostics(uri, lambda said: not said, since=len(started.heard)) == []


def test_half_characters(started: Wire, tmp_path: Path) -> None:
    uri = (tmp_path / "ds.json").as_uri()
    started.open(uri, '{"\ud800": "\udfff", "zero_optimization": {"stage": 7}}')
    assert started.diagnostics(uri, bool)
    started.alive()


def test_answers_nobody_waits_for(started: Wire) -> None:
    started.say({"jsonrpc": "2.0", "id": "no such request", "result": {}})
    started.say({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}})
    started.say({"jsonrpc": "2.0", "id": [1], "result": None})
    started.tell("$/cancelRequest", {"id": 12345})
    started.tell("$/cancelRequest", {})
    started.tell("window/workDoneProgress/cancel", {"token": "no such token"})
    started.alive()


def test_a_workspace_that_vanishes(wire: Wire, tmp_path: Path) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    path = folder / "ds.json"
    path.write_text(BROKEN)
    wire.start(folder)
    wire.open(path.as_uri(), BROKEN)
    assert wire.diagnostics(path.as_uri(), bool)
    path.unlink()
    folder.rmdir()
    event = {"uri": path.as_uri(), "type": 3}
    wire.tell("workspace/didChangeWatchedFiles", {"changes": [event, {"uri": "::", "type": 1}]})
    wire.change(path.as_uri(), "{}")
    assert wire.diagnostics(path.as_uri(), lambda said: not said, since=len(wire.heard)) == []
    wire.change(path.as_uri(), BROKEN, 3)
    assert wire.diagnostics(path.as_uri(), bool, since=len(wire.heard))
