"""A server as a real process, spoken to byte by byte: for what a well-behaved client cannot send."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from typing import Any

import pytest

from lsp.forked import serve_on
from shardlint_lsp.connection.framing import messages

PATIENCE = 20.0
"""Seconds to wait for anything on a busy machine."""
Message = dict[str, Any]


class Wire:
    """Both ends of the pipes. `heard` holds all that came, in order."""

    def __init__(
        self, descriptor: int, send: Callable[[bytes], object], ended: Callable[[], int], pid: int = 0
    ) -> None:
        """`descriptor` is read from; `ended` waits for the exit code."""
        self.heard: list[Message] = []
        self.send = send
        self.ended = ended
        self.pid = pid
        self.hang_up: Callable[[], object] = lambda: None
        self._fresh: queue.Queue[Message | None] = queue.Queue()
        self._number = 0
        self.answers: dict[str, Callable[[Any], object]] = {}
        self._listener = threading.Thread(target=self._listen, args=(descriptor,), daemon=True)
        self._listener.start()

    def say(self, message: object) -> None:
        body = json.dumps(message).encode()
        self.send(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def tell(self, method: str, params: object = None) -> None:
        self.say({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: object = None) -> int:
        """Ask without waiting; the id of the request."""
        self._number += 1
        self.say({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def ask(self, method: str, params: object = None) -> Message:
        """The answer to a request."""
        return self.answer(self.request(method, params))

    def answer(self, identity: object) -> Message:
        return self.wait(lambda said: "method" not in said and said.get("id") == identity)

    def wait(self, wanted: Callable[[Message], bool], since: int = 0) -> Message:
        """The first message that is wanted, of those that came after `since` messages or will come."""
        for said in self.heard[since:]:
            if wanted(said):
                return said
        while True:
            said = self._fresh.get(timeout=PATIENCE)
            assert said is not None, "the server hung up"
            self.heard.append(said)
            self._reply(said)
            if wanted(said):
                return said

    def note(self, method: str, wanted: Callable[[Any], bool] = lambda _: True, since: int = 0) -> Any:
        """The parameters of the first notification or request of a method that is wanted."""
        found = self.wait(lambda said: said.get("method") == method and wanted(said.get("params")), since)
        return found.get("params")

    def diagnostics(self, uri: str, wanted: Callable[[Any], bool] = lambda _: True, since: int = 0) -> Any:
        """What is pushed about a file, once it is what is wanted."""
        return self.note(
            "textDocument/publishDiagnostics",
            lambda said: said["uri"] == uri and wanted(said["diagnostics"]),
            since,
        )["diagnostics"]

    def start(self, folder: Path | None = None, **more: Any) -> Message:
        capabilities = more.pop("capabilities", {})
        root = {"rootUri": folder.as_uri()} if folder else {}
        answer = self.ask("initialize", {"processId": None, "capabilities": capabilities, **root, **more})
        self.tell("initialized", {})
        return answer

    def open(self, uri: str, text: str, language: str = "json", version: int = 1) -> None:
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, text: str, version: int = 2) -> None:
        document = {"uri": uri, "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def close(self, uri: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def heard_out(self) -> None:
        """Wait until nobody reads the pipe: its number is the next pipe's as soon as it is closed."""
        self._listener.join(PATIENCE)

    def alive(self) -> None:
        """The server still answers."""
        answer = self.ask("shardlint/nothing")
        assert answer["error"]["code"] in (-32601, -32002, -32600), answer

    def _reply(self, said: Message) -> None:
        if "method" in said and "id" in said:
            answer = self.answers.get(said["method"], lambda _: None)(said.get("params"))
            self.say({"jsonrpc": "2.0", "id": said["id"], "result": answer})

    def _listen(self, descriptor: int) -> None:
        for said in messages(partial(os.read, descriptor)):
            assert isinstance(said, dict), said
            self._fresh.put(said)
        self._fresh.put(None)


@cache
def _forking() -> ForkServerContext:
    """The process to fork from. It finds what it is to import by the environment only."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["lsp.preloaded"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        ensure_running()
    return context


@contextmanager
def served() -> Iterator[Wire]:
    """A server in a process of its own, forked from one that has imported it; it is gone afterwards."""
    context = _forking()
    theirs_in, ours_out = context.Pipe(duplex=False)
    ours_in, theirs_out = context.Pipe(duplex=False)
    process = context.Process(target=serve_on, args=(theirs_in, theirs_out), daemon=True)
    process.start()
    theirs_in.close()
    theirs_out.close()

    def ended() -> int:
        process.join(PATIENCE)
        assert process.exitcode is not None
        return process.exitcode

    send = partial(_send, ours_out.fileno())
    wire = Wire(ours_in.fileno(), send, ended, process.pid or 0)
    wire.hang_up = ours_out.close
    try:
        yield wire
    finally:
        process.kill()
        process.join()
        wire.heard_out()
        ours_in.close()
        ours_out.close()


def _send(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


@contextmanager
def spawned(*arguments: str, environment: Mapping[str, str] | None = None) -> Iterator[Wire]:
    """A server as an editor starts it; it is gone afterwards, whatever happened."""
    process = subprocess.Popen(
        [sys.executable, "-m", "shardlint_cli", "lsp", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )
    assert process.stdin and process.stdout
    pipe, heard = process.stdin, process.stdout

    def send(data: bytes) -> None:
        pipe.write(data)
        pipe.flush()

    wire = Wire(heard.fileno(), send, lambda: process.wait(PATIENCE), process.pid)
    wire.hang_up = pipe.close
    try:
        yield wire
    finally:
        process.kill()
        process.wait()
        wire.heard_out()
        heard.close()
