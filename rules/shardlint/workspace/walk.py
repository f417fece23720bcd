"""A safe walk: config files below a folder, ignored ones left out, in the same order every time."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shardlint.report import Notice

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from shardlint.workspace.workspace import Workspace

CONFIG_SUFFIXES = (".json", ".jsonc", ".hjson", ".yaml", ".yml", ".toml")
SKIPPED = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        "node_modules",
        ".venv",
        "__pycache__",
        ".tox",
        ".nox",
        ".mypy_cache",
        ".ruff_cache",
    }
)
"""Folders that are never entered."""


class Ignore(NamedTuple):
    """One .gitignore: its folder and its patterns."""

    folder: Path
    patterns: GitIgnoreSpec


class Walk:
    """One walk over files and folders. `notices` grows while it goes: what is missing or cannot be opened."""

    def __init__(self, workspace: Workspace) -> None:
        self.notices: list[Notice] = []
        self._workspace = workspace
        self._entered: set[tuple[int, int]] = set()
        self._given: set[Path] = set()
        self._named: set[Path] = set()

    def files(self, paths: Iterable[Path]) -> Iterator[Path]:
        """Files named are given whatever they are called; folders are searched. No path is given twice."""
        for path in paths:
            for found in self._below(path):
                if found not in self._given:
                    self._given.add(found)
                    yield found

    def _below(self, path: Path) -> Iterator[Path]:
        name = self._workspace.display(path)
        if path in self._workspace.overlay:
            yield path
            return
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError) as error:
            self.notices.append(Notice(name, f"{name} cannot be read: {_reason(error)}"))
            return
        if stat.S_ISDIR(mode):
            self._named.add(path)
            yield from self._folder(path)
        elif stat.S_ISREG(mode):
            yield path
        else:
            self.notices.append(Notice(name, f"{name} is neither a file nor a folder"))

    def _folder(self, start: Path) -> Iterator[Path]:
        pending: list[Path | tuple[Path, tuple[Ignore, ...]]] = [(start, self._above(start))]
        while pending:
            item = pending.pop()
            if isinstance(item, Path):
                yield item
                continue
            folder, ignores = item
            pending.extend(reversed(list(self._listed(folder, ignores))))

    def _listed(
        self, folder: Path, ignores: tuple[Ignore, ...]
    ) -> Iterator[Path | tuple[Path, tuple[Ignore, ...]]]:
        """What to look at in one folder: files, and folders with the ignore files that hold in them."""
        entries = self._entries(folder)
        if any(entry.name == ".gitignore" for entry in entries):
            ignores = (*ignores, *_read_ignore(folder))
        for entry in entries:
            path = folder / entry.name
            if _is_folder(entry):
                if entry.name not in SKIPPED and not _ignored(path, ignores, "/"):
                    yield path, ignores
            elif _is_config(entry.name) and _is_file(entry) and not _ignored(path, ignores, ""):
                yield path

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            info = folder.stat()
            if (info.st_dev, info.st_ino) in self._entered and info.st_ino:
                return []
            self._entered.add((info.st_dev, info.st_ino))
            with os.scandir(folder) as listing:
                return sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            name = self._workspace.display(folder)
            message = f"{name} cannot be opened: {_reason(error)}"
            self.notices.append(Notice(name, message, asked=folder in self._named))
            return []

    def _above(self, start: Path) -> tuple[Ignore, ...]:
        """The .gitignore files above a folder that hold in it: those of its repository."""
        levels: list[Path] = []
        if os.path.exists(start / ".git"):  # noqa: PTH110 - Path.exists raises
            return ()
        for level in start.parents:
            levels.append(level)
            if os.path.exists(level / ".git"):  # noqa: PTH110 - Path.exists raises
                return tuple(ignore for folder in reversed(levels) for ignore in _read_ignore(folder))
        return ()


def _is_config(name: str) -> bool:
    lowered = name.lower()
    return lowered.endswith(CONFIG_SUFFIXES) or "hostfile" in lowered


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """A real folder; a link to one is left to the place it points at."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _read_ignore(folder: Path) -> Iterator[Ignore]:
    try:
        lines = (folder / ".gitignore").read_bytes().decode("utf-8", "replace").splitlines()
    except OSError:
        return
    if not any(line.strip() and not line.startswith("#") for line in lines):
        return
    from pathspec import GitIgnoreSpec

    try:
        yield Ignore(folder, GitIgnoreSpec.from_lines(lines))
    except ValueError:
        return


def _ignored(path: Path, ignores: tuple[Ignore, ...], ending: str) -> bool:
    """Whether the nearest .gitignore that speaks of a path leaves it out."""
    for folder, patterns in reversed(ignores):
        verdict = patterns.check_file(path.relative_to(folder).as_posix() + ending).include
        if verdict is not None:
            return verdict
    return False


def _reason(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    return str(reason)[:1].lower() + str(reason)[1:]
