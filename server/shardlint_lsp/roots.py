"""Workspace folders: each has its own settings, caches and references."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from shardlint.engine import Analysis, Options, analyse
from shardlint.settings import SettingsLoader
from shardlint.workspace import Workspace
from shardlint_lsp.preferences import Preferences
from shardlint_lsp.referrers import Referrers

MOST_DOCUMENTS = 128
"""Parsed files a folder keeps between two looks."""
MOST_ORPHANS = 8
"""Folders outside the workspace that are remembered."""


class Root:
    """One folder. Only the worker's thread calls its methods; `cost` is the seconds of the last look."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace = Workspace(folder)
        self.referrers = Referrers(self.workspace)
        self.cost = 0.0
        self._seen: dict[Path, tuple[Path, ...]] = {}
        self._laid: Mapping[Path, str | bytes] = {}

    def analyse(self, path: Path, overlay: Mapping[Path, str | bytes], preferences: Preferences) -> Analysis:
        """A file together with those that name it or that it names."""
        began = time.perf_counter()
        self.lay(overlay)
        near = self._together(path)
        found = analyse(near, self._options(overlay, preferences), self.workspace)
        self.forget()
        self.cost = time.perf_counter() - began
        return found

    def lint(
        self, paths: Sequence[Path], overlay: Mapping[Path, str | bytes], preferences: Preferences
    ) -> Analysis:
        """Some files and what they name, but not those that name them."""
        self.lay(overlay)
        return analyse(paths, self._options(overlay, preferences), self.workspace)

    def lay(self, overlay: Mapping[Path, str | bytes]) -> None:
        """Unsaved texts from now on, and what they name."""
        self.workspace.lay(overlay)
        before, self._laid = self._laid, overlay
        for path in before.keys() | overlay.keys():
            if self.folder in path.parents and before.get(path) != overlay.get(path):
                self.referrers.read(path)

    def moved(self, paths: Iterable[Path]) -> list[Path]:
        """Those of the paths that belong with other files now than when they were looked at."""
        return [
            path for path in paths if path in self._seen and self._seen[path] != self.referrers.together(path)
        ]

    def in_stated_jobs(self, paths: Iterable[Path]) -> frozenset[Path]:
        """Those of the paths that a [[jobs]] of the settings puts together with others."""
        loader = SettingsLoader(self.folder, read=self.workspace.text)
        return frozenset(path for path in paths if loader.at(path.parent).jobs_of(path))

    def forget(self) -> None:
        """Keep no more than what was read last."""
        self.workspace.forget(keep=MOST_DOCUMENTS)
        for path in [*self._seen][:-MOST_DOCUMENTS]:
            del self._seen[path]

    def _options(self, overlay: Mapping[Path, str | bytes], preferences: Preferences) -> Options:
        return Options(
            root=self.folder,
            select=preferences.select,
            ignore=preferences.ignore,
            overlay=overlay,
            editor=preferences.facts,
        )

    def _together(self, path: Path) -> tuple[Path, ...]:
        """A file and those it depends on or that depend on it, as they are now."""
        self.referrers.read(path)
        for other in self.referrers.together(path)[1:]:
            self.referrers.read(other)
        near = self.referrers.together(path)
        self._seen.pop(path, None)
        self._seen[path] = near
        return near


class Roots:
    """The folders of the workspace. A file outside of them has its own folder as root."""

    def __init__(self) -> None:
        self._roots: dict[Path, Root] = {}
        self._orphans: dict[Path, Root] = {}

    def add(self, folder: Path) -> Root:
        if folder not in self._roots:
            self._roots[folder] = Root(folder)
        return self._roots[folder]

    def remove(self, folder: Path) -> None:
        self._roots.pop(folder, None)

    @property
    def folders(self) -> tuple[Root, ...]:
        return tuple(self._roots.values())

    @property
    def known(self) -> tuple[Root, ...]:
        """The folders of the workspace and those remembered outside of it."""
        return (*self._roots.values(), *self._orphans.values())

    @property
    def home(self) -> Path:
        """The folder of texts that are no file: the first of the workspace."""
        return next(iter(self._roots), Path.cwd())

    def of(self, path: Path) -> Root:
        """The innermost folder a path lies in."""
        holding = [folder for folder in self._roots if folder in path.parents]
        if holding:
            return self._roots[max(holding, key=lambda folder: len(folder.parts))]
        own = self._orphans.pop(path.parent, None) or Root(path.parent)
        self._orphans[path.parent] = own
        for old in [*self._orphans][:-MOST_ORPHANS]:
            del self._orphans[old]
        return own
