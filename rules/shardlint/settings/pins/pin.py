"""Pin: what one line of a project file says about the release of a package."""

from __future__ import annotations

import re
from typing import NamedTuple

from shardlint.report import Place
from shardlint.settings.versions import Bounds, parse_specifier
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span

LOCKED, REQUIRED, OPTIONAL = range(3)
"""What is installed, what every installation must have, what some installations have."""


class Said(NamedTuple):
    """A requirement in a text: its rank, the specifier, and where it stands (offsets)."""

    rank: int
    specifier: str
    start: int
    end: int


class Pin(NamedTuple):
    """A requirement in a file: the path as shown, its text, and where the specifier stands in it."""

    rank: int
    specifier: str
    file: str
    text: str
    start: int
    end: int

    @property
    def bounds(self) -> Bounds | None:
        """The releases it allows; None where it states none we can read."""
        return parse_specifier(self.specifier)

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.start) + 1

    @property
    def place(self) -> Place:
        return Place(self.file, "", Span(self.start, self.end), Document(self.file, self.text, "text"))

    @property
    def origin(self) -> str:
        return f"{self.file}:{self.line}"


def named(pattern: str, *packages: str) -> re.Pattern[str]:
    """A pattern with `{package}` filled in."""
    names = "|".join(re.escape(name) for name in dict.fromkeys(packages))
    return re.compile(pattern.replace("{package}", f"(?:{names})"))


def cleaned(specifier: str) -> str:
    """A specifier without spaces, line continuations and trailing commas."""
    return "".join(specifier.replace("\\", " ").split()).rstrip(",")
