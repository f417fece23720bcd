"""A server ends with its editor, however that ends."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

from lsp.wire import PATIENCE, Wire, spawned

COMMAND = [sys.executable, "-m", "shardlint_cli", "lsp"]


def test_shutdown_and_exit(tmp_path: Path) -> None:
    with spawned() as wire:
        wire.start(tmp_path)
        assert wire.ask("shutdown")["result"] is None
        wire.tell("exit")
        assert wire.ended() == 0


def test_exit_without_shutdown(tmp_path: Path) -> None:
    with spawned() as wire:
        wire.start(tmp_path)
        wire.tell("exit")
        assert wire.ended() == 1


def test_exit_before_initialize() -> None:
    with spawned() as wire:
        wire.tell("exit")
        assert wire.ended() == 1


def test_a_closed_pipe(tmp_path: Path) -> None:
    with spawned() as wire:
        wire.start(tmp_path)
        wire.send(b"Content-Length: 100\r\n\r\n{")
        wire.hang_up()
        assert wire.ended() == 1


def test_requests_that_wait_are_answered_at_shutdown(tmp_path: Path) -> None:
    with spawned() as wire:
        wire.start(tmp_path, capabilities={"textDocument": {"diagnostic": {}}})
        assert wire.ask("workspace/diagnostic", {"previousResultIds": []})["result"] == {"items": []}
        held = wire.request("workspace/diagnostic", {"previousResultIds": []})
        assert wire.ask("shutdown")["result"] is None
        assert wire.answer(held)["error"]["code"] == -32800
        wire.tell("exit")
        assert wire.ended() == 0


def test_the_process_of_the_editor_dies(tmp_path: Path) -> None:
    """The pipe stays open: another process holds it."""
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with spawned() as wire:
        wire.start(tmp_path, processId=editor.pid)
        wire.alive()
        editor.kill()
        editor.wait()
        assert wire.ended() == 1


def test_a_port(tmp_path: Path) -> None:
    server = subprocess.Popen([*COMMAND, "--tcp", "0"], stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", server.stderr.readline())
        assert found is not None
        with socket.create_connection(("127.0.0.1", int(found[1])), PATIENCE) as connection:
            connection.settimeout(None)
            wire = Wire(connection.fileno(), connection.sendall, lambda: server.wait(PATIENCE))
            wire.start(tmp_path)
            wire.open("untitled:x", '{"zero_optimization": {"stage": 7}}')
            assert wire.diagnostics("untitled:x", bool)
            connection.shutdown(socket.SHUT_WR)
            assert server.wait(PATIENCE) == 1
    finally:
        server.kill()
        server.communicate()
