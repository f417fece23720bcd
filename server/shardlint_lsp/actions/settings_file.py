"""The settings file that holds for an open text, as one that can be written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from shardlint.report import Notice, Place
from shardlint.settings import SettingsLoader
from shardlint.settings.loader import FILE_NAME, PROJECT_NAME, TABLE
from shardlint.settings.toml_edits import Written, add, write
from shardlint.syntax.document import Document
from shardlint.syntax.view import Value
from shardlint_lsp.actions.action import Outcome
from shardlint_lsp.look import Look


class SettingsFile(NamedTuple):
    """`table` is where in the document settings stand; `relative` the path of the open text as patterns of
    the settings name it. The document is empty where there is no such file yet."""

    document: Document
    table: tuple[str, ...]
    relative: str

    @property
    def title(self) -> str:
        """What people call the file."""
        return self.document.name.rpartition("/")[2]

    def set(self, table: str, key: tuple[str, ...], value: Value) -> Outcome | None:
        return self._outcome(write(self.document, (*self.table, table), key, value))

    def add(self, table: tuple[str, ...], key: str, word: str) -> Outcome | None:
        return self._outcome(add(self.document, (*self.table, *table), (key,), word))

    def _outcome(self, written: Written | None) -> Outcome | None:
        if written is None:
            return None
        shown = Place(self.document.name, "", written.span, written.after)
        return Outcome((written.edit,), {self.document.name: self.document}, shown)


def settings_file(look: Look) -> SettingsFile | None:
    """The nearest settings file upward, else a new one in the folder of the workspace; None where that
    cannot be read or written."""
    workspace, folder = look.root.workspace, look.root.folder
    settings = SettingsLoader(folder, read=workspace.text).at(look.text.path.parent)
    if settings.path is not None:
        document = workspace.read(settings.path)
        table = TABLE if settings.path.name == PROJECT_NAME else ()
    else:
        document, table = _new(folder / FILE_NAME), ()
    if document is None or isinstance(document, Notice):
        return None
    return SettingsFile(document, table, settings.relative(look.text.path))


def _new(path: Path) -> Document | None:
    """An empty document; None where something that is no settings file has its name."""
    return None if os.path.lexists(path) else Document(path.name, "", "toml")
