"""Which files of a folder name which: what a file means depends on those that name it."""

from __future__ import annotations

from pathlib import Path

from shardlint.compose.links import direct
from shardlint.compose.referrers import together
from shardlint.compose.shelf import Shelf
from shardlint.formats.reading import Reading
from shardlint.workspace import Workspace


class Referrers:
    """References between files, as far as they were read. Not complete before the folder was walked."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._targets: dict[Path, frozenset[Path]] = {}
        self._hopes: dict[Path, frozenset[Path]] = {}
        self._sources: dict[Path, set[Path]] = {}
        self._configs: set[Path] = set()

    def read(self, path: Path) -> Reading | None:
        """Note what a file names now; its reading, or None where it is no config or gone."""
        shelf = Shelf(self._workspace)
        reading = shelf.reading(path)
        found = reading if isinstance(reading, Reading) else None
        if found is not None:
            self._configs.add(path)
        else:
            self._configs.discard(path)
        links = direct(found, shelf) if found else ()
        absolute = self._workspace.absolute
        targets = frozenset(absolute(link.found) for link in links if link.found is not None)
        self._note(path, targets, targets.union(absolute(name) for link in links for name in link.tried))
        return found

    def of(self, path: Path) -> tuple[Path, ...]:
        """The files that name a path, or would if there were a file, in order."""
        return tuple(sorted(self._sources.get(path, ())))

    def together(self, path: Path) -> tuple[Path, ...]:
        """A file and all whose findings depend on it or on which its own depend, through any chain of names,
        at most `MOST_TOGETHER`; the file itself comes first."""
        return together(path, lambda one: (*sorted(self._targets.get(one, ())), *self.of(one)))

    def reached(self, path: Path) -> frozenset[Path]:
        """All that a file names, through any chain of names; itself where the chain comes back to it."""
        found: set[Path] = set()
        pending = [path]
        while pending:
            fresh = self._targets.get(pending.pop(), frozenset()) - found
            found |= fresh
            pending += fresh
        return frozenset(found)

    def knows(self, path: Path) -> bool:
        """Whether a file is a config or is named by one, or would be if it were there."""
        return path in self._configs or path in self._sources

    def _note(self, source: Path, targets: frozenset[Path], hopes: frozenset[Path]) -> None:
        """`hopes` are the targets and the paths where a file in their place would be found before them."""
        before = self._hopes.pop(source, frozenset())
        for path in before - hopes:
            self._sources[path].discard(source)
            if not self._sources[path]:
                del self._sources[path]
        for path in hopes:
            self._sources.setdefault(path, set()).add(source)
        if hopes:
            self._hopes[source] = hopes
        self._targets.pop(source, None)
        if targets:
            self._targets[source] = targets
