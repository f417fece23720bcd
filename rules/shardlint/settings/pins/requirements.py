"""requirements.txt: a requirement a line, and the files it includes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardlint.settings.pins.pin import OPTIONAL, REQUIRED, Said, cleaned, named

NAMES = r"requirements[\w.\-]*\.txt\Z"
MAIN = "requirements.txt"

SPECIFIER = r"(?P<spec>(?:===|==|~=|>=|<=|<|>|!=)[^;#\"'\r\n\]]*)"
EXTRAS = r"(?:\[[^\]\r\n]{0,100}\])?"
_LINE = r"(?im)^[ \t]*{package}" + EXTRAS + r"[ \t]*(?:\([ \t]*)?" + SPECIFIER
_INCLUDE = r"(?m)^[ \t]*(?:-r|-c|--requirement|--constraint)[ \t=]*(?P<path>[^\s#]+)"


def read_requirements(text: str, package: str, name: str) -> Iterator[Said]:
    """What a requirements file says about a package; one with a longer name is of some installations only."""
    rank = REQUIRED if name == MAIN else OPTIONAL
    for found in named(_LINE, package).finditer(text):
        yield Said(rank, cleaned(found.group("spec")), *found.span("spec"))


def includes(text: str) -> Iterator[str]:
    """The files a requirements file includes, relative to it."""
    for found in re.finditer(_INCLUDE, text):
        yield found.group("path")
