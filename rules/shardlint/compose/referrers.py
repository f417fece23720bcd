"""Which files near a file name it: it runs as they say, so it is judged with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from shardlint.compose.links import MODEL_CONFIG, direct
from shardlint.compose.nearby import HEAD, files, folders
from shardlint.compose.shelf import Shelf
from shardlint.formats.reading import Reading
from shardlint.workspace import Workspace

MOST_TOGETHER = 24
"""So many files are looked at together: a DeepSpeed file that fifty runs share is judged by some of them."""


def with_referrers(paths: Iterable[Path], workspace: Workspace) -> list[Path]:
    """The paths, and for each that is a config the files near it that name it, through any chain of names.

    At most `MOST_TOGETHER` with the config itself, those of the nearest folder first. A folder given brings
    none.
    """
    given = dict.fromkeys(workspace.absolute(str(path)) for path in paths)
    shelf = Shelf(workspace)
    near = _Near(shelf, frozenset(given))
    configs = (path for path in given if isinstance(shelf.reading(path), Reading))
    return [*given, *dict.fromkeys(other for path in configs for other in near.around(path))]


def together(path: Path, beside: Callable[[Path], Iterable[Path]]) -> tuple[Path, ...]:
    """A file, which comes first, and all that are beside it through any chain, at most `MOST_TOGETHER`."""
    found = {path: None}
    pending = [path]
    while pending and len(found) < MOST_TOGETHER:
        others = (other for other in beside(pending.pop(0)) if other not in found)
        fresh = [*islice(others, MOST_TOGETHER - len(found))]
        found.update(dict.fromkeys(fresh))
        pending += fresh
    return tuple(found)


class _Near:
    """The heads of the files near others, each read once. `given` are looked at anyway."""

    def __init__(self, shelf: Shelf, given: frozenset[Path]) -> None:
        self._shelf = shelf
        self._given = given
        self._heads: dict[Path, dict[Path, str]] = {}

    def around(self, path: Path) -> tuple[Path, ...]:
        """The files that name a path, and those that name these."""
        return together(path, self._naming)[1:]

    def _naming(self, path: Path) -> Iterator[Path]:
        """The files that name a path; their text must, before they are parsed."""
        words = (path.name, path.parent.name) if path.name == MODEL_CONFIG else (path.name,)
        for folder in folders(path, self._shelf.workspace):
            for other, head in self._heads_of(folder).items():
                if any(_occurs(word, head) for word in words) and self._leads(other, path):
                    yield other

    def _heads_of(self, folder: Path) -> dict[Path, str]:
        known = self._heads.get(folder)
        if known is None:
            workspace = self._shelf.workspace
            others = (path for path in files(folder) if path not in self._given)
            known = self._heads[folder] = {path: workspace.head(path, HEAD) or "" for path in others}
        return known

    def _leads(self, other: Path, path: Path) -> bool:
        """Whether a reference of a file leads to a path."""
        reading = self._shelf.reading(other)
        if not isinstance(reading, Reading) or other == path:
            return False
        found = (link.found for link in direct(reading, self._shelf))
        return any(name is not None and self._shelf.workspace.absolute(name) == path for name in found)


def _occurs(word: str, text: str) -> bool:
    """Whether a text has a word that is not the end of a longer name."""
    return bool(word) and word in text and re.search(rf"(?<![\w.-]){re.escape(word)}", text) is not None
