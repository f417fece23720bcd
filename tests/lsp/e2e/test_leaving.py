"""How a server ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from lsp.e2e.editor import Editor
from lsp.e2e.recorded import EVERY


@pytest_asyncio.fixture
async def fresh(tmp_path: Path) -> AsyncIterator[Editor]:
    editor = Editor()
    await editor.begin(EVERY[0], [tmp_path])
    yield editor
    await editor.kill()


async def test_shutdown_then_exit(fresh: Editor, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    await fresh.within(fresh.shutdown_async(None))
    fresh.exit(None)
    assert await fresh.ended() == 0
    assert capfdbinary.readouterr() == (b"", b"")


async def test_exit_alone_is_no_clean_end(fresh: Editor) -> None:
    fresh.exit(None)
    assert await fresh.ended() == 1


async def test_an_editor_that_is_gone(fresh: Editor) -> None:
    fresh.hang_up()
    assert await fresh.ended() == 1
