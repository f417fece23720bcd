"""The releases the project near a config asks for: the nearest folder that says so, up to the repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from shardlint.plan import DERIVED, Fact, unknown
from shardlint.settings.pins.pin import OPTIONAL, Pin
from shardlint.settings.versions import separate

MOST_INCLUDES = 20
"""So many files a chain of `-r` lines may lead to."""

STARTS = ("requirements", "pyproject", "setup", "uv", "poetry", "pdm", "Pipfile", "environment", "conda")
"""How the names of project files start; the others need no closer look."""

Read = Callable[[Path], "str | None"]
Display = Callable[[Path], str]


class ProjectPins:
    """What the files of a folder and those above it say about a package. Nothing is read before it is asked.

    The search ends at the folder that holds `.git`, else at `root` where the folder lies below it, else at
    the folder itself. `read` gives a file's text or None, `display` a path as people are shown it.
    """

    def __init__(self, folder: Path, read: Read, display: Display, root: Path | None = None) -> None:
        self._folder = folder
        self._read = read
        self._display = display
        self._root = root
        self._files: dict[Path, list[tuple[Path, str]]] = {}
        self._known: dict[tuple[Path, str], tuple[Pin, ...]] = {}
        self._stated: dict[str, tuple[Pin, ...]] = {}

    def at(self, folder: Path) -> ProjectPins:
        """The same for a config in another folder; what was read is shared."""
        if folder == self._folder:
            return self
        made = ProjectPins(folder, self._read, self._display, self._root)
        made._files, made._known = self._files, self._known
        return made

    def __call__(self, package: str) -> Fact[str]:
        """The specifier that holds, or unknown: where none is stated, or two files contradict each other."""
        stated = [pin for pin in self.stated(package) if pin.bounds is not None]
        if not stated:
            return unknown(f"set versions.{package}")
        best = stated[0]
        other = next(
            (pin for pin in stated if pin.rank != OPTIONAL and separate(best.bounds, pin.bounds)), None
        )
        if other is not None:
            return unknown(f"{best.origin} and {other.origin} contradict each other; set versions.{package}")
        return Fact(best.specifier, best.origin, DERIVED, best.place)

    def stated(self, package: str) -> tuple[Pin, ...]:
        """What the nearest folder that names a release says, the most telling first."""
        if package not in self._stated:
            self._stated[package] = self._nearest(package)
        return self._stated[package]

    def _nearest(self, package: str) -> tuple[Pin, ...]:
        for folder in self._folders():
            key = (folder, package)
            if key not in self._known:
                self._known[key] = tuple(sorted(self._in(folder, package), key=_telling))
            if self._known[key]:
                return self._known[key]
        return ()

    def _folders(self) -> Iterator[Path]:
        root = self._root if self._root in (self._folder, *self._folder.parents) else None
        top = next((level for level in (self._folder, *self._folder.parents) if _is_repository(level)), root)
        yield self._folder
        if top is None or top == self._folder:
            return
        for level in self._folder.parents:
            yield level
            if level == top:
                return

    def _in(self, folder: Path, package: str) -> Iterator[Pin]:
        for path, text in self._texts(folder):
            if package in text or package in text.lower():
                yield from self._said(path, text, package)

    def _said(self, path: Path, text: str, package: str) -> Iterator[Pin]:
        from shardlint.settings.pins.readers import reader_of

        for said in reader_of(path.name)(text, package, path.name):
            yield Pin(said.rank, said.specifier, self._display(path), text, said.start, said.end)

    def _texts(self, folder: Path) -> list[tuple[Path, str]]:
        """The project files of a folder, with those they include."""
        if folder not in self._files:
            self._files[folder] = list(self._opened(folder))
        return self._files[folder]

    def _opened(self, folder: Path) -> Iterator[tuple[Path, str]]:
        names = _names(folder)
        if not names:
            return
        from shardlint.settings.pins.readers import included, known_names

        pending = [folder / name for name in known_names(names)]
        seen: set[Path] = set()
        while pending and len(seen) < MOST_INCLUDES:
            path = pending.pop(0)
            if path in seen:
                continue
            seen.add(path)
            text = self._read(path)
            if text is not None:
                yield path, text
                pending += [Path(os.path.normpath(path.parent / name)) for name in included(path.name, text)]


def _telling(pin: Pin) -> tuple[int, bool]:
    return pin.rank, pin.bounds is None


def _is_repository(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")


def _names(folder: Path) -> list[str]:
    """The names in a folder that may be those of project files."""
    try:
        with os.scandir(folder) as listing:
            return [entry.name for entry in listing if entry.name.startswith(STARTS)]
    except OSError:
        return []
