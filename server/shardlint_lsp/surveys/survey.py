"""A folder read to its end while nobody waits: which files name which and, where asked for, what is wrong in
files that are not open."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from shardlint.settings.loader import FILE_NAME, PROJECT_NAME
from shardlint_lsp.preferences import Preferences
from shardlint_lsp.result_ids import NOTHING
from shardlint_lsp.roots import Root
from shardlint_lsp.surveys.folder_lint import Filed, FolderLint, Terms
from shardlint_lsp.surveys.progress import Progress
from shardlint_lsp.worker import Priority

if TYPE_CHECKING:
    from shardlint_lsp.server import ShardlintServer

T = TypeVar("T")
QUIET = 0.5
"""Seconds without a change before files are read again."""
OFTEN = 0.25
"""Seconds between two reports."""
LONG = 1.0
"""Seconds before a bar is shown."""
log = logging.getLogger("shardlint")


class Survey:
    """One folder. `filed` is what is said about its files; `tell` is called with what changed in it."""

    def __init__(
        self, server: ShardlintServer, root: Root, tell: Callable[[Mapping[Path, Filed]], object]
    ) -> None:
        self.root = root
        self.filed: dict[Path, Filed] = {}
        self.done = self.total = 0
        self._server = server
        self._tell = tell
        self._lint = FolderLint(root)
        self._task: asyncio.Task[None] | None = None
        self._edited: set[Path] = set()
        self._walked = False

    @property
    def busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def renew(self) -> None:
        """Read everything, again where it was read before."""
        self.stop()
        self._edited.clear()
        self._begin(partial(self._all, QUIET if self._walked else 0.0))

    def edited(self, path: Path) -> None:
        """A text changed: what is found in closed files may be different."""
        if not self._preferences.workspace_diagnostics:
            return
        if path.name in (FILE_NAME, PROJECT_NAME):
            self.renew()
            return
        self._edited.add(path)
        if not self.busy:
            self._begin(self._near_edited)

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    @property
    def _preferences(self) -> Preferences:
        return self._server.preferences_in(self.root)

    def _begin(self, work: Callable[[], Awaitable[None]]) -> None:
        self._task = asyncio.ensure_future(self._guarded(work))

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Exception as error:
            self._server.failed(f"the survey of {self.root.folder}", error)
        finally:
            if asyncio.current_task() is self._task:
                nothing: Mapping[Path, Filed] = {}
                asyncio.get_running_loop().call_soon(self._tell, nothing)

    async def _all(self, delay: float) -> None:
        await asyncio.sleep(delay)
        await self._walk()
        self._walked = True
        moved = await self._step(partial(self.root.moved, [text.path for text in self._server.texts]))
        if moved:
            self._server.moved(moved)
        if self._preferences.workspace_diagnostics:
            await self._linted(await self._step(self._lint.entries))
            await self._near_edited()
        elif self.filed:
            gone, self.filed, self._lint = self.filed, {}, FolderLint(self.root)
            self._tell({path: Filed(NOTHING, ()) for path in gone})

    async def _near_edited(self) -> None:
        """Lint what edits may have changed, until there are no more."""
        while self._edited:
            await asyncio.sleep(QUIET)
            near: dict[Path, None] = {}
            edited, self._edited = self._edited, set()
            for path in edited:
                await self._step(partial(self._lint.reread, path))
                near.update(dict.fromkeys(await self._step(partial(self._lint.near, path))))
            await self._linted(tuple(near))

    async def _walk(self) -> None:
        most = self._preferences.max_workspace_files
        steps = self._lint.walk(most, self._server.texts.overlay())
        while (more := await self._step(partial(next, steps, None))) is not None:
            if not more:
                log.info("%s: only the first %d files are read (maxWorkspaceFiles)", self.root.folder, most)

    async def _linted(self, entries: tuple[Path, ...]) -> None:
        """Lint the entries, one a step, and report from time to time."""
        self.done, self.total = 0, len(entries)
        progress = None
        fresh: dict[Path, Filed] = {}
        began = reported = time.monotonic()
        try:
            for entry in entries:
                fresh |= await self._step(partial(self._lint.lint, entry, self._terms()))
                self.done += 1
                if progress is not None and progress.cancelled:
                    return
                if time.monotonic() - reported > OFTEN:
                    self._file(fresh)
                    fresh, reported = {}, time.monotonic()
                    if progress is None and reported - began > LONG:
                        progress = Progress(self._server, "Checking training configs")
                    if progress is not None:
                        progress.report(self.done, self.total)
            current = await self._step(self._lint.entries)
            fresh |= await self._step(partial(self._lint.keep, current))
        finally:
            self._file(fresh)
            if progress is not None:
                progress.end(f"{self.done} of {self.total} configs checked")

    def _file(self, fresh: Mapping[Path, Filed]) -> None:
        changed: dict[Path, Filed] = {}
        for path, filed in fresh.items():
            before = self.filed.pop(path, None)
            if filed.diagnostics:
                self.filed[path] = filed
            if (before.diagnostics if before else ()) != filed.diagnostics:
                changed[path] = filed
        self._tell(changed)

    def _terms(self) -> Terms:
        server = self._server
        overlay = server.texts.overlay()
        return Terms(overlay, self._preferences, server.client, server.texts.uri, server.tell_once)

    async def _step(self, work: Callable[[], T]) -> T:
        return await self._server.worker.run(Priority.BACKGROUND, work)
