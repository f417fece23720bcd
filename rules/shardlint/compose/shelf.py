"""The readings of a workspace, each made once for one content of its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shardlint.formats.reading import Reading
from shardlint.formats.registry import recognise, sniff
from shardlint.report import Notice
from shardlint.syntax.document import Document
from shardlint.workspace import Workspace

if TYPE_CHECKING:
    from shardlint.compose.neighbours import Clue


class Shelf:
    """Readings by path; a file no format recognises has none. `clues`: see `neighbours`, by folder."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.clues: dict[Path, tuple[Clue, ...]] = {}

    def reading(self, path: Path) -> Reading | Notice | None:
        """The reading of a file; None where no format recognises it, a Notice where it cannot be read."""
        content = self.workspace.content(path)
        if isinstance(content, Notice):
            return content
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        if not sniff(text.replace("\0", ""), path.name):
            return None
        return self.workspace.derived(path, content, _read)

    def path_of(self, reading: Reading) -> Path:
        return self.workspace.root / reading.document.name


def _read(document: Document) -> Reading | None:
    found = recognise(document)
    return found.read(document) if found else None
