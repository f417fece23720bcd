"""Files that findings depend on and that change outside of the editor."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from shardlint.settings.loader import FILE_NAME, PROJECT_NAME
from shardlint.settings.pins.locks import JSON_NAMES, TOML_NAMES
from shardlint.settings.pins.readers import known_names
from shardlint.workspace import CONFIG_SUFFIXES

if TYPE_CHECKING:
    from shardlint_lsp.roots import Root
    from shardlint_lsp.server import ShardlintServer

GLOBS = (
    f"**/*.{{{','.join(suffix[1:] for suffix in CONFIG_SUFFIXES)}}}",
    "**/*hostfile*",
    "**/{requirements,constraints}*.txt",
    "**/requirements/*.txt",
    f"**/{{{','.join((*TOML_NAMES, *JSON_NAMES, 'setup.cfg', '.gitignore'))}}}",
)


def watch(server: ShardlintServer) -> None:
    """Have the editor tell of changes, where it can be asked for that."""
    if server.client.watching:
        watchers = [types.FileSystemWatcher(pattern) for pattern in GLOBS]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        server.client_register_capability(
            types.RegistrationParams([types.Registration("shardlint-files", method, options)])
        )


def concerned(root: Root, paths: Iterable[Path]) -> bool:
    """Whether findings in a folder may depend on one of the paths. Who names them is read anew."""
    concerning = [path for path in paths if _concerns(root, path)]
    return bool(concerning)


def speaks_to_a_folder(path: Path) -> bool:
    """Whether it is a settings file or states releases: what it says holds for files that do not name it."""
    return path.name in (FILE_NAME, PROJECT_NAME) or bool(known_names([path.name]))


def _concerns(root: Root, path: Path) -> bool:
    """Not every JSON file is ours: a job that runs writes its state into many."""
    if path.suffix == ".txt" or path.name == ".gitignore" or speaks_to_a_folder(path):
        return True
    before = root.referrers.knows(path)
    return root.referrers.read(path) is not None or before
