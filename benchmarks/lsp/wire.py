"""A client that costs next to nothing: bytes out, bytes in, one thread that reads."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Message = dict[str, Any]
LIMIT = 120.0
"""Seconds after which an answer will not come."""


class Wire:
    """One server process. What the server asks is answered with nothing but the settings; `heard` is called
    with every message, on the thread that reads."""

    def __init__(self, command: Sequence[str], settings: Any = None, env: Mapping[str, str] | None = None):
        self.started = time.perf_counter()
        self.settings = settings
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(env or {})},
        )
        self.heard: Callable[[Message], object] = lambda _: None
        self._arrived: queue.Queue[Message | None] = queue.Queue()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()

    def request(self, method: str, params: Any) -> Any:
        """The result of a request; notifications that come before it are passed over."""
        self._number += 1
        number = self._number
        self.send({"id": number, "method": method, "params": params})
        return self.wait(lambda message: message.get("id") == number and "method" not in message).get(
            "result"
        )

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def wait(self, wanted: Callable[[Message], object]) -> Message:
        """The next message that is `wanted`."""
        until = time.monotonic() + LIMIT
        while True:
            message = self._arrived.get(timeout=max(until - time.monotonic(), 0.01))
            if message is None:
                raise EOFError("the server ended")
            if wanted(message):
                return message

    def send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def memory(self) -> float:
        """Resident MiB of the process and its children."""
        pids = [self.process.pid, *_children(self.process.pid)]
        return sum(_resident(pid) for pid in pids)

    def close(self) -> None:
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self.process.wait(10)
        except (EOFError, OSError, queue.Empty, subprocess.TimeoutExpired):
            self.process.kill()

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while True:
            length = 0
            while (line := out.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            if not line:
                self._arrived.put(None)
                return
            message = json.loads(out.read(length))
            self.heard(message)
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": self._answer(message)})
            else:
                self._arrived.put(message)

    def _answer(self, message: Message) -> Any:
        if message["method"] == "workspace/configuration":
            return [self.settings for _ in message["params"]["items"]]
        return None


def _resident(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024**2


def _children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]
