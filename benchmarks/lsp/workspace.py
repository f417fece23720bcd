"""Workspace diagnostics of a folder, with somebody typing meanwhile."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.lsp.measure import PUBLISH, Percentiles, Typing, initialize, percentiles
from benchmarks.lsp.servers import Server
from benchmarks.lsp.texts import SHORT
from benchmarks.lsp.wire import Message, Wire

PROGRESS = "$/progress"
OPTIONS = {"shardlint": {"workspaceDiagnostics": True, "maxWorkspaceFiles": 10_000}}
PAUSE = 0.05
"""Seconds between two keystrokes."""


class Scan(NamedTuple):
    """`seconds` until the last file was checked; the files with findings, and keystrokes meanwhile."""

    seconds: float
    files: int
    findings: int
    changes: Percentiles
    count: int


def scan(server: Server, folder: Path) -> Scan:
    """Check a folder while a text beside it is typed in."""
    with tempfile.TemporaryDirectory() as name:
        beside = Path(name).resolve()
        wire = Wire(server.command, server.settings, server.environment)
        wire.settings = OPTIONS["shardlint"]
        said: dict[str, int] = {}
        ended: list[float] = []

        def heard(message: Message) -> None:
            params = message.get("params") or {}
            if message.get("method") == PUBLISH:
                said[params["uri"]] = len(params["diagnostics"])
            if message.get("method") == PROGRESS and params["value"]["kind"] == "end":
                ended.append(time.perf_counter())

        wire.heard = heard
        initialize(wire, folder, OPTIONS)
        began = time.perf_counter()
        typing = Typing(wire, beside, server.texts[0](SHORT))
        taken: list[float] = []
        while not ended:
            taken.append(typing.change(typing.typed.stroke))
            time.sleep(PAUSE)
        wire.close()
        found = [count for uri, count in said.items() if count and uri != typing.uri]
        return Scan(ended[-1] - began, len(found), sum(found), percentiles(taken), len(taken))
