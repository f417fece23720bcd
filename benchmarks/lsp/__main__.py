"""Time to initialize, from a change to its diagnostics, hover, completion, and memory, beside other servers.

    python -m benchmarks.lsp [--changes N] [--memory N] [--workspace FOLDER] [--alone]

Every server runs as a process on files of its own kind, one of about 100 and one of about 3,000 lines. A
change is one character typed or deleted; the time ends when the diagnostics of exactly that text arrive, so
the wait some servers put before a check counts. Hover and completion are asked for in a text at rest, and
right behind a change, when the check of it is under way; such changes come as fast as somebody types, and
completion is asked for at the end of a key that is being typed.
`--memory N` sends N further changes to shardlint and prints its resident memory on the way;
`--workspace FOLDER` has it check all of a folder while a text is typed in.
"""

from __future__ import annotations

import argparse
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.lsp.measure import Percentiles, Typing, initialize, repeated
from benchmarks.lsp.servers import Server, peers, shardlint
from benchmarks.lsp.texts import LONG, SHORT, Typed
from benchmarks.lsp.wire import Wire
from benchmarks.lsp.workspace import scan

BUDGET = {SHORT: 10.0, LONG: 60.0}
"""Milliseconds from a change to its diagnostics, 95th percentile."""
ASKED = 15.0
KEYSTROKE = 0.1
"""Seconds between the keystrokes of a fast typist."""
START = 1.0
MEMORY = 90.0
SCAN = 30.0
MEANWHILE = 100.0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--changes", type=int, default=300, help="measured for every text (300)")
    parser.add_argument("--memory", type=int, default=0, help="further changes while memory is watched (0)")
    parser.add_argument("--workspace", type=Path, help="a folder of configs that is checked meanwhile")
    parser.add_argument("--alone", action="store_true", help="shardlint only")
    asked = parser.parse_args()
    print(f"{'milliseconds':52} {'p50':>8} {'p95':>8} {'p99':>8}")
    for server in (shardlint(), *([] if asked.alone else peers())):
        for make in server.texts:
            for lines in (SHORT, LONG):
                measure(server, make(lines), lines, asked.changes)
    if asked.workspace:
        check(shardlint(), asked.workspace.resolve())
    if asked.memory:
        remember(shardlint(), asked.memory)


def measure(server: Server, typed: Typed, lines: int, changes: int) -> None:
    """One server on one text, as a block of lines."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        wire = Wire(server.command, server.settings, server.environment)
        print(f"{server.name}, {typed.name}, {typed.lines} lines")
        started = initialize(wire, folder)
        wire.notify("workspace/didChangeConfiguration", {"settings": server.settings or {}})
        typing = Typing(wire, folder, typed)
        ours = server.name == "shardlint"
        row("start to initialize answer", started * 1000, START * 1000 if ours else None)
        row("open to first diagnostics", typing.opened * 1000)
        pause = 0.02
        for what, stroke in (("change", typed.stroke), ("half-typed key", typed.begun)):
            taken = repeated(partial(typing.change, stroke), changes, pause)
            row(f"{what} to diagnostics", taken, BUDGET[lines] if ours else None)
        for method, behind in (("hover", typing.ask_behind), ("completion", typing.ask_begun)):
            typing.settle()
            name, count = f"textDocument/{method}", changes // 2
            row(method, repeated(partial(typing.ask, name), count, pause), ASKED if ours else None)
            limit = ASKED if ours and method == "completion" else None
            row(f"{method} right behind a change", repeated(partial(behind, name), count, KEYSTROKE), limit)
        print(f"  {'resident memory':40} {wire.memory():17.0f} MiB")
        wire.close()


def row(what: str, value: Percentiles | float, budget: float | None = None) -> None:
    shown = str(value) if isinstance(value, Percentiles) else f"{value:8.1f}"
    judged = value.p95 if isinstance(value, Percentiles) else value
    verdict = "" if budget is None else f"   p95 budget {budget:g}: {'met' if judged <= budget else 'MISSED'}"
    print(f"  {what:50} {shown}{verdict}", flush=True)


def check(server: Server, folder: Path) -> None:
    """Workspace diagnostics of a folder, and how long keystrokes take meanwhile."""
    found = scan(server, folder)
    print(f"{server.name}, workspace diagnostics, {found.findings} findings in {found.files} files")
    row("all of the folder", found.seconds * 1000, SCAN * 1000)
    row(f"change to diagnostics meanwhile ({found.count})", found.changes, MEANWHILE)


def remember(server: Server, changes: int) -> None:
    """Memory over a day's worth of changes to the two short texts."""
    print(f"{server.name}, resident memory over {changes} changes")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        wire = Wire(server.command, server.settings, server.environment)
        initialize(wire, folder)
        typings = [Typing(wire, folder, make(SHORT)) for make in server.texts]
        for done in range(1, changes + 1):
            typing = typings[done % len(typings)]
            typing.change(typing.typed.stroke)
            if done % max(changes // 10, 1) == 0:
                print(f"  {done:8} changes {wire.memory():6.1f} MiB", flush=True)
        verdict = "met" if wire.memory() <= MEMORY else "MISSED"
        print(f"  budget {MEMORY:g} MiB: {verdict}")
        wire.close()


if __name__ == "__main__":
    main()
