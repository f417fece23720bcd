"""One server an editor and encoding, shared by all tests of a run; each test has a folder of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest
import pytest_asyncio

from lsp.e2e.editor import Editor
from lsp.e2e.recorded import ASKED, Recorded


class Editors:
    """The editors that were asked for so far."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._running: dict[Recorded, Editor] = {}

    async def get(self, recorded: Recorded) -> Editor:
        known = self._running.get(recorded)
        if known is None or not known.alive:
            root = self._home / f"{recorded} 模型"
            root.mkdir(exist_ok=True)
            self._running[recorded] = editor = Editor()
            await editor.begin(recorded, [root])
        return self._running[recorded]

    async def end(self) -> None:
        for editor in self._running.values():
            await editor.end()


@pytest_asyncio.fixture(scope="session")
async def editors(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editors]:
    running = Editors(tmp_path_factory.mktemp("workspaces"))
    yield running
    await running.end()


@pytest_asyncio.fixture(params=ASKED, ids=str)
async def editor(request: pytest.FixtureRequest, editors: Editors) -> AsyncIterator[Editor]:
    """An editor without open texts; it has none again afterwards, and its server logged no error."""
    found = await editors.get(request.param)
    yield found
    await found.quiet()


FOLDERS = count(1)


@pytest.fixture
def folder(editor: Editor) -> Path:
    """A folder of the workspace for one test. No name begins another: settings go by beginnings."""
    made = editor.root / f"test {next(FOLDERS):05}"
    made.mkdir()
    return made
