"""Find and read the settings file nearest to a folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from collections.abc import Mapping as MappingType
from pathlib import Path

from shardlint.report import Notice
from shardlint.settings.layers import Layer
from shardlint.settings.pins import ProjectPins
from shardlint.settings.settings import Settings
from shardlint.settings.spec import Source
from shardlint.syntax.expression import expression

FILE_NAME = "shardlint.toml"
PROJECT_NAME = "pyproject.toml"
TABLE = ("tool", "shardlint")
MAX_BYTES = 4 * 1024 * 1024

_HEADER = expression(r"(?m)^\s*\[+\s*(?:tool\.shardlint|facts|budget|jobs|files|lint)\b")

ReadText = Callable[[Path], "str | None"]


def read_text(path: Path) -> str | None:
    """The text of a regular file of at most 4 MiB, else None."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return None
        return path.read_bytes().decode("utf-8-sig", "replace")
    except (OSError, ValueError):
        return None


class SettingsLoader:
    """Settings by folder. `config` names one settings file for all; `flags` are `--set` arguments.

    `root` is the folder paths are shown relative to; `read` gives a file's text, perhaps unsaved, or None.
    """

    def __init__(
        self,
        root: Path,
        flags: Iterable[str] = (),
        config: Path | None = None,
        editor: MappingType[str, object] | None = None,
        read: ReadText = read_text,
    ) -> None:
        self.root = Path(os.path.abspath(root))  # noqa: PTH100
        self._read = read
        self._outside, self.notices = _outside(tuple(flags), editor or {})
        self._by_folder: dict[Path, Settings] = {}
        self._config = self._named(config) if config is not None else None

    def at(self, folder: Path) -> Settings:
        """The settings for the files of a folder: the nearest settings file upward."""
        if self._config is not None:
            return self._config
        folder = Path(os.path.abspath(folder))  # noqa: PTH100
        passed: list[Path] = []
        found: Settings | None = None
        for level in (folder, *folder.parents):
            found = self._by_folder.get(level) or self._in(level)
            passed.append(level)
            if found is not None:
                break
        settings = found or self._bare()
        self._by_folder.update(dict.fromkeys(passed, settings))
        return settings

    def forget(self) -> None:
        """Read every settings file again when it is asked for next."""
        self._by_folder.clear()

    def display(self, path: Path) -> str:
        """A path relative to `root`, with `/`."""
        try:
            return os.path.relpath(path, self.root).replace(os.sep, "/")
        except ValueError:
            return str(path).replace(os.sep, "/")

    def _in(self, folder: Path) -> Settings | None:
        own = folder / FILE_NAME
        text = self._read(own)
        if text is not None:
            return self._made(own, text, ())
        if os.path.lexists(own):
            name = self.display(own)
            message = (
                f"{name} is there, but is no readable file of at most 4 MiB, so no setting in it applies"
            )
            self.notices = (*self.notices, Notice(name, message))
        project = folder / PROJECT_NAME
        text = self._read(project)
        if text is not None and "tool.shardlint" in text:
            return self._made(project, text, TABLE)
        return None

    def _named(self, config: Path) -> Settings:
        path = Path(os.path.abspath(config))  # noqa: PTH100
        text = self._read(path)
        if text is None:
            name = self.display(path)
            self.notices = (*self.notices, Notice(name, f"{name}: this settings file cannot be read"))
            return self._bare()
        made = self._made(path, text, TABLE if path.name == PROJECT_NAME else ())
        if made.said("broken-settings-file") and not made.names() and not _HEADER.search(text):
            name = self.display(path)
            message = f"{name} is no TOML with settings, so no setting in it applies"
            self.notices = (*self.notices, Notice(name, message))
            return self._bare()
        return made

    def _made(self, path: Path, text: str, table: tuple[str, ...]) -> Settings:
        from shardlint.settings.source import read_source
        from shardlint.syntax.parse import parse

        source = read_source(parse(text, self.display(path), "toml"), *table)
        return self._settings(path.parent, path, source)

    def _bare(self) -> Settings:
        return self._settings(self.root, None, Source())

    def _settings(self, folder: Path, path: Path | None, source: Source) -> Settings:
        pins = ProjectPins(folder, self._read, self.display, self.root)
        return Settings(folder, path, source, self._outside, self.notices, pins)


def _outside(
    flags: tuple[str, ...], editor: MappingType[str, object]
) -> tuple[tuple[Layer, ...], tuple[Notice, ...]]:
    """The layers that stand in no file, and what is wrong with them."""
    if not flags and not editor:
        return (), ()
    from shardlint.settings.flags import read_editor, read_flags

    flagged, edited = read_flags(flags), read_editor(editor)
    return (flagged.layer, edited.layer), (*flagged.notices, *edited.notices)
