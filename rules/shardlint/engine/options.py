"""What a front end asks of a lint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

Progress = Callable[[int, int], None]
"""Called with (files looked at, files to look at so far known)."""


class Options(NamedTuple):
    """`root` is the folder paths are shown relative to and references resolve against first.

    `sets` are `--set` arguments, `config` one settings file for all, `select` and `ignore` rule names on
    top of the settings', `overlay` unsaved texts by path (standard input is one), `editor` settings an
    editor sends.
    """

    root: Path
    sets: tuple[str, ...] = ()
    config: Path | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    overlay: Mapping[Path, str | bytes] = {}
    editor: Mapping[str, object] = {}
    progress: Progress | None = None
