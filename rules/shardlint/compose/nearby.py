"""Where files lie that may name a file: its folder and those above it, up to the root of the workspace."""

from __future__ import annotations

import os
from pathlib import Path

from shardlint.workspace import Workspace

SUFFIXES = (".yaml", ".yml", ".json")
MOST_FILES = 40
"""So many files of one folder are looked at."""
HEAD = 16 * 1024
"""Bytes of each that are read before it is parsed."""


def folders(path: Path, workspace: Workspace) -> list[Path]:
    """The folder of a file and those above it, nearest first; of a file outside the root its folder alone."""
    root, above = workspace.root, path.parents
    return list(above[: above.index(root) + 1]) if root in above else [path.parent]


def files(folder: Path) -> list[Path]:
    """The first files of a folder that may name others, by name; none where it cannot be opened."""
    try:
        with os.scandir(folder) as listing:
            names = sorted(entry.name for entry in listing)
    except OSError:
        return []
    return [folder / name for name in names if name.lower().endswith(SUFFIXES)][:MOST_FILES]
