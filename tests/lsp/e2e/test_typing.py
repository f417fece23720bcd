"""Twenty files typed in at full speed: what an editor shows in the end is what a fresh lint of the final text
says, whatever came before.

SHARDLINT_SEED chooses the files and the edits. With CI=true there are a thousand messages a file.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any, NamedTuple

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter

from corpus import corpus_root, manifest
from lsp.e2e.buffer import Buffer
from lsp.e2e.typist import Typist
from lsp.wire import Wire, served
from shardlint.report import Notice
from shardlint_lsp.client import client_of
from shardlint_lsp.diagnostics import by_path
from shardlint_lsp.look import Look
from shardlint_lsp.preferences import Preferences
from shardlint_lsp.roots import Root
from shardlint_lsp.texts import OpenText

SEED = int(os.environ.get("SHARDLINT_SEED", "4"))
FILES = 20
MESSAGES = 1000 if os.environ.get("CI") == "true" else 120
ROUNDS = 10
GROWTH = 6.0
"""MiB the server may grow by in the second half of the typing; Python gives memory back in large pieces."""
LARGEST = 20_000
"""Characters of the longest file that is typed in."""
LANGUAGES = {".json": "json", ".jsonc": "jsonc", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml"}
EXAMPLES = Path(__file__).parents[3] / "examples"
PAIR = EXAMPLES / "good" / "zero3"
PUBLISH = "textDocument/publishDiagnostics"
UTF_16 = types.PositionEncodingKind.Utf16
CAPABILITIES = {
    "textDocument": {
        "publishDiagnostics": {
            "versionSupport": True,
            "relatedInformation": True,
            "codeDescriptionSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        }
    }
}
CONVERTER = get_converter()


class Typing(NamedTuple):
    """A file somebody types in."""

    path: Path
    typist: Typist

    @property
    def buffer(self) -> Buffer:
        return self.typist.buffer


def _sources() -> list[Path]:
    """Files of every kind, as many of each as there are turns."""
    root = corpus_root()
    if root is None:
        files = [path for path in sorted(EXAMPLES.rglob("*")) if path.is_file()]
        return [files[turn % len(files)] for turn in range(FILES)]
    chance = random.Random(SEED)
    kinds: dict[str, list[Path]] = {}
    for row in manifest():
        path = root / row.path
        if path.suffix in LANGUAGES and path.stat().st_size <= LARGEST:
            kinds.setdefault(row.label, []).append(path)
    order = sorted(kinds)
    return [chance.choice(kinds[order[turn % len(order)]]) for turn in range(FILES)]


def _typings(folder: Path) -> Iterator[Typing]:
    """Each file alone in its folder, and two that belong together in one."""
    places = [(folder / str(number) / source.name, source) for number, source in enumerate(_sources())]
    places += [(folder / "pair" / source.name, source) for source in sorted(PAIR.iterdir())]
    for number, (path, source) in enumerate(places):
        path.parent.mkdir(exist_ok=True)
        text = source.read_bytes().decode("utf-8", "replace")
        path.write_bytes(text.encode())
        yield Typing(path, Typist(Buffer(path.as_uri(), text, UTF_16), f"{SEED} {number}"))


def _type(wire: Wire, typing: Typing, count: int) -> None:
    """Send messages one after the other, waiting for nothing."""
    buffer = typing.buffer
    for _ in range(count):
        changes = CONVERTER.unstructure(typing.typist.message())
        buffer.version += 1
        document = {"uri": buffer.uri, "version": buffer.version}
        wire.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


def _published(wire: Wire, uri: str) -> Iterator[dict[str, Any]]:
    return (
        said["params"]
        for said in wire.heard
        if said.get("method") == PUBLISH and said["params"]["uri"] == uri
    )


def _caught_up(wire: Wire, typing: Typing, since: int) -> None:
    """Wait until what was said is about the last version."""
    buffer = typing.buffer
    wire.note(PUBLISH, lambda said: (said["uri"], said.get("version")) == (buffer.uri, buffer.version), since)


def _fresh(typing: Typing, typings: Sequence[Typing]) -> list[dict[str, Any]]:
    """What a server that has seen nothing else says of the final texts."""
    path, buffer = typing.path, typing.buffer
    params = CONVERTER.structure({"processId": None, "capabilities": CAPABILITIES}, types.InitializeParams)
    text = OpenText(buffer.uri, path, "", buffer.version, buffer.text)
    overlay = {other.path: other.buffer.text.removeprefix("\ufeff") for other in typings}
    root = Root(path.parent.parent)
    analysis = root.analyse(path, overlay, Preferences())
    document = root.workspace.read(path)
    if isinstance(document, Notice):
        return []
    look = Look(text, 1, root, analysis, document, client_of(params, UTF_16), Preferences())
    return CONVERTER.unstructure(by_path(look, Path.as_uri)[path])


def _resident(process: int) -> float:
    """MiB of memory a process holds."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def _complaints(wire: Wire) -> list[str]:
    logged = (said["params"] for said in wire.heard if said.get("method") == "window/logMessage")
    return [said["message"] for said in logged if said["type"] <= types.MessageType.Warning]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_typing(tmp_path: Path) -> None:
    typings = list(_typings(tmp_path))
    chance = random.Random(SEED)
    resident: list[float] = []
    with served() as wire:
        wire.start(tmp_path, capabilities=CAPABILITIES)
        for typing in typings:
            wire.open(typing.buffer.uri, typing.buffer.text, LANGUAGES.get(typing.path.suffix, "plaintext"))
        for _ in range(ROUNDS):
            for typing in chance.sample(typings, len(typings)):
                since = len(wire.heard)
                _type(wire, typing, MESSAGES // ROUNDS)
                if chance.random() < 0.5:
                    _caught_up(wire, typing, since)
            resident.append(_resident(wire.pid))
        wanted = [_fresh(typing, typings) for typing in typings]
        for typing, final in zip(typings, wanted, strict=True):
            _settled(wire, typing, final)
        wire.alive()
        assert _complaints(wire) == []
        for typing, final in zip(typings, wanted, strict=True):
            said = [*_published(wire, typing.buffer.uri)]
            versions = [one["version"] for one in said]
            assert versions == sorted(versions), typing.path.name
            assert versions[-1] == typing.buffer.version
            problem = f"{typing.path} (SHARDLINT_SEED={SEED}): {typing.buffer.text!r}"
            assert said[-1]["diagnostics"] == final, problem
    assert resident[-1] - resident[ROUNDS // 2 - 1] < GROWTH, resident


def _settled(wire: Wire, typing: Typing, final: list[dict[str, Any]]) -> None:
    """Wait for the final diagnostics; where they do not come, what came instead says more than that."""
    wanted = (typing.buffer.uri, typing.buffer.version, final)
    with suppress(Empty):
        wire.note(PUBLISH, lambda said: (said["uri"], said.get("version"), said["diagnostics"]) == wanted)
