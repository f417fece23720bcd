"""What a stream can show: its width, colour and characters; measuring and wrapping text for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple, TextIO

TAB = 4
ELLIPSIS = "..."
NARROWEST = 40

STYLES = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "hint": "1;32",
    "bold": "1",
    "dim": "2",
    "good": "32",
    "added": "32",
    "removed": "31",
}


class Screen(NamedTuple):
    """A stream as the renderers need it. `width` in columns, None where lines must not be wrapped."""

    width: int | None = None
    colour: bool = False
    encoding: str = "utf-8"

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.colour and text else text

    def safe(self, text: str) -> str:
        """The text on one line; what a terminal would obey or cannot show becomes an escape."""
        if text.isascii() and text.isprintable():
            return text
        return "".join(self.shown(char) for char in text)

    def shown(self, char: str) -> str:
        """How one character appears: itself, or `\\x1b`, `\\u202e` for what has no shape of its own."""
        return char if char.isprintable() and self._encodes(char) else _escape(char)

    def _encodes(self, char: str) -> bool:
        if char.isascii():
            return True
        try:
            char.encode(self.encoding)
        except (UnicodeError, LookupError):
            return False
        return True


def screen_of(stream: TextIO, environ: Mapping[str, str] | None = None) -> Screen:
    """The screen behind a stream. A pipe has no width and no colour unless the environment says otherwise."""
    variables = os.environ if environ is None else environ
    terminal = _is_terminal(stream)
    return Screen(
        _width(stream, terminal, variables),
        _wants_colour(terminal, variables),
        getattr(stream, "encoding", None) or "utf-8",
    )


def printable_anywhere(stream: TextIO) -> None:
    """Let a stream write characters its encoding lacks as escapes where it would raise."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def cells(char: str) -> int:
    """Columns one shown character takes: 0 for a combining mark, 2 for a wide one."""
    if char.isascii():
        return 1
    from unicodedata import category, east_asian_width

    if category(char) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def columns(text: str) -> int:
    """Columns a shown text takes."""
    return len(text) if text.isascii() else sum(cells(char) for char in text)


def wrap(text: str, width: int | None) -> list[str]:
    """Lines of at most `width` columns, broken at spaces; a longer word stays whole."""
    if width is None or columns(text) <= width:
        return [text]
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        wider = f"{line} {word}" if line else word
        if line and columns(wider) > width:
            lines.append(line)
            line = word
        else:
            line = wider
    return [*lines, line]


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def _width(stream: TextIO, terminal: bool, environ: Mapping[str, str]) -> int | None:
    stated = environ.get("COLUMNS", "")
    if stated.isdecimal() and int(stated):
        return max(int(stated), NARROWEST)
    if not terminal:
        return None
    try:
        return max(os.get_terminal_size(stream.fileno()).columns or 80, NARROWEST)
    except (OSError, ValueError):
        return 80


def _wants_colour(terminal: bool, environ: Mapping[str, str]) -> bool:
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    if not terminal or environ.get("TERM") == "dumb":
        return False
    return sys.platform != "win32" or "WT_SESSION" in environ or "TERM" in environ
