"""What is measured of one server on one text."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.lsp.texts import Stroke, Typed
from benchmarks.lsp.wire import Message, Wire

PUBLISH = "textDocument/publishDiagnostics"
CAPABILITIES = {
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "completion": {
            "completionItem": {
                "snippetSupport": True,
                "documentationFormat": ["markdown"],
                "resolveSupport": {"properties": ["documentation", "detail"]},
            }
        },
    },
    "workspace": {"configuration": True},
    "window": {"workDoneProgress": True},
}


class Percentiles(NamedTuple):
    """Milliseconds."""

    p50: float
    p95: float
    p99: float

    def __str__(self) -> str:
        return f"{self.p50:8.1f} {self.p95:8.1f} {self.p99:8.1f}"


def percentiles(seconds: list[float]) -> Percentiles:
    cuts = statistics.quantiles([one * 1000 for one in seconds], n=100, method="inclusive")
    return Percentiles(cuts[49], cuts[94], cuts[98])


def initialize(wire: Wire, folder: Path, options: Any = None) -> float:
    """Seconds from the start of the process to its answer to `initialize`."""
    params = {
        "processId": None,
        "clientInfo": {"name": "benchmark"},
        "rootUri": folder.as_uri(),
        "workspaceFolders": [{"uri": folder.as_uri(), "name": "benchmark"}],
        "capabilities": CAPABILITIES,
        "initializationOptions": options,
    }
    wire.request("initialize", params)
    took = time.perf_counter() - wire.started
    wire.notify("initialized", {})
    return took


class Typing:
    """One text open in a server, in which something is typed, and taken out with the next keystroke."""

    def __init__(self, wire: Wire, folder: Path, typed: Typed) -> None:
        self.wire = wire
        self.typed = typed
        self.uri = (folder / typed.name).as_uri()
        self.version = 1
        document = {"uri": self.uri, "languageId": typed.language, "version": 1, "text": typed.text}
        began = time.perf_counter()
        wire.notify("textDocument/didOpen", {"textDocument": document})
        wire.wait(self._published)
        self.opened = time.perf_counter() - began

    def keystroke(self, stroke: Stroke) -> None:
        self.version += 1
        taken_out = self.version % 2
        start = {"line": stroke.line, "character": self._column(stroke)}
        end = stroke.behind(self._column(stroke)) if taken_out else start
        change = {"range": {"start": start, "end": end}, "text": "" if taken_out else stroke.text}
        document = {"uri": self.uri, "version": self.version}
        self.wire.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def change(self, stroke: Stroke) -> float:
        """Seconds from a keystroke to the diagnostics of the text with it."""
        began = time.perf_counter()
        self.keystroke(stroke)
        self.wire.wait(self._published)
        return time.perf_counter() - began

    def ask_behind(self, method: str) -> float:
        """Seconds a request takes that comes right behind a keystroke, whose check is under way then."""
        self.keystroke(self.typed.stroke)
        return self.ask(method)

    def ask_begun(self, method: str) -> float:
        """Seconds a request takes at the end of a key that a keystroke has just begun."""
        self.keystroke(self.typed.begun)
        taken = self.ask(method, self.typed.begun.behind(self._column(self.typed.begun)))
        self.keystroke(self.typed.begun)
        return taken

    def ask(self, method: str, position: dict[str, int] | None = None) -> float:
        """Seconds a request takes."""
        line, character = self.typed.asked
        position = position or {"line": line, "character": character}
        params = {"textDocument": {"uri": self.uri}, "position": position}
        began = time.perf_counter()
        self.wire.request(method, params)
        return time.perf_counter() - began

    def _column(self, stroke: Stroke) -> int:
        return len(self.typed.text.splitlines()[stroke.line])

    def settle(self) -> None:
        """Let what is still under way come to its end."""
        time.sleep(0.5)
        self.wire.request(
            "textDocument/hover", {"textDocument": {"uri": self.uri}, "position": {"line": 0, "character": 0}}
        )

    def _published(self, message: Message) -> bool:
        if message.get("method") != PUBLISH or message["params"]["uri"] != self.uri:
            return False
        return message["params"].get("version") in (None, self.version)


def repeated(once: Callable[[], float], count: int, pause: float = 0.0) -> Percentiles:
    taken: list[float] = []
    for _ in range(count):
        taken.append(once())
        if pause:
            time.sleep(pause)
    return percentiles(taken)
