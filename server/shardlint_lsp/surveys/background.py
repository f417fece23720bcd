"""The surveys of all folders, and what they found."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from shardlint_lsp.result_ids import NOTHING
from shardlint_lsp.roots import Root
from shardlint_lsp.surveys.folder_lint import Filed
from shardlint_lsp.surveys.survey import Survey

if TYPE_CHECKING:
    from shardlint_lsp.server import ShardlintServer


class Background:
    """One survey a folder of the workspace."""

    def __init__(self, server: ShardlintServer) -> None:
        self.version = 0
        self._server = server
        self._surveys: dict[Path, Survey] = {}
        self._news = asyncio.Event()
        self._begun = False

    def renew(self) -> None:
        """Survey every folder of the workspace, again those that were, and no other any more."""
        self._begun = True
        roots = {root.folder: root for root in self._server.roots.folders}
        for folder in [*self._surveys]:
            if self._surveys[folder].root is not roots.get(folder):
                gone = self._surveys.pop(folder)
                gone.stop()
                self._told({path: Filed(NOTHING, ()) for path in gone.filed})
        for root in roots.values():
            self.renew_one(root)

    def renew_one(self, root: Root) -> None:
        """Survey a folder again; nothing for one that is not of the workspace."""
        if self._begun and root in self._server.roots.folders:
            if root.folder not in self._surveys:
                self._surveys[root.folder] = Survey(self._server, root, self._told)
            self._surveys[root.folder].renew()

    def saved(self, uri: str) -> None:
        """What stands in a file decides what is assumed of those beside and below it."""
        text = self._server.texts.get(uri)
        root = self._server.roots.of(text.path) if text is not None else None
        if root is not None and self._server.preferences_in(root).workspace_diagnostics:
            self.renew_one(root)

    def edited(self, path: Path) -> None:
        """An open text changed, or is not open any more."""
        survey = self._surveys.get(self._server.roots.of(path).folder)
        if survey is not None:
            survey.edited(path)

    @property
    def busy(self) -> bool:
        """Whether more may be found by itself."""
        return not self._begun or any(survey.busy for survey in self._surveys.values())

    @property
    def share(self) -> tuple[int, int]:
        """How many entries are linted of how many."""
        surveys = self._surveys.values()
        return sum(survey.done for survey in surveys), sum(survey.total for survey in surveys)

    def filed(self) -> Mapping[Path, Filed]:
        """What is said about the files of the workspace; of a folder in a folder, by its own survey."""
        found: dict[Path, Filed] = {}
        for folder in sorted(self._surveys, key=lambda folder: len(folder.parts)):
            found |= self._surveys[folder].filed
        return found

    async def news(self, version: int) -> None:
        """Wait until there is something that was not there at a `version`."""
        while self.version == version:
            await self._news.wait()

    def _told(self, changed: Mapping[Path, Filed]) -> None:
        self._server.publisher.unopened({path: filed.diagnostics for path, filed in changed.items()})
        self.version += 1
        self._news.set()
        self._news = asyncio.Event()
