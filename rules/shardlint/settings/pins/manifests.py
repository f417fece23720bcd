"""pyproject.toml and setup.cfg: dependencies and optional dependencies, found by their sections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardlint.settings.pins.pin import OPTIONAL, REQUIRED, Said, cleaned, named
from shardlint.settings.pins.requirements import EXTRAS, SPECIFIER

PROJECT, SETUP = "pyproject.toml", "setup.cfg"
_HEADER = r"(?m)^\[(?P<name>[^\[\]\r\n]+)\][ \t]*(?:#.*)?$"
_OPEN = r"(?m)^dependencies[ \t]*=[ \t]*\["
_CLOSED = r"(?m)\][ \t]*(?:#.*)?$"
_QUOTED = r"(?im)[\"'][ \t]*{package}" + EXTRAS + r"[ \t]*\(?" + SPECIFIER
_POETRY = (
    r"(?im)^{package}[ \t]*=[ \t]*(?:\"(?P<spec>[^\"\r\n]*)\""
    r"|\{[^\}\r\n]*?version[ \t]*=[ \t]*\"(?P<inner>[^\"\r\n]*)\")"
)
_SETUP = r"(?im)^(?:[ \t]+|[\w\-]+[ \t]*=[ \t]*){package}" + EXTRAS + r"[ \t]*" + SPECIFIER
_POETRY_TABLES = r"tool\.poetry\.(?:group\..+\.)?(?:dev-)?dependencies\Z"
_OPTIONAL_TABLES = ("project.optional-dependencies", "dependency-groups", "tool.pdm.dev-dependencies")


def read_project(text: str, package: str, name: str) -> Iterator[Said]:
    """What a pyproject.toml says about a package: PEP 621, dependency groups and poetry."""
    for header, start, end in _sections(text):
        if header == "project":
            opened = re.compile(_OPEN).search(text, start, end)
            closed = re.compile(_CLOSED).search(text, opened.end(), end) if opened else None
            if opened and closed:
                yield from _found(_QUOTED, text, package, opened.end(), closed.start(), REQUIRED)
        elif header in _OPTIONAL_TABLES:
            yield from _found(_QUOTED, text, package, start, end, OPTIONAL)
        elif re.match(_POETRY_TABLES, header):
            rank = REQUIRED if header == "tool.poetry.dependencies" else OPTIONAL
            yield from _poetry(text, package, start, end, rank)


def read_setup(text: str, package: str, name: str) -> Iterator[Said]:
    """What a setup.cfg says about a package."""
    for header, start, end in _sections(text):
        if header in ("options", "options.extras_require"):
            rank = REQUIRED if header == "options" else OPTIONAL
            yield from _found(_SETUP, text, package, start, end, rank)


def _found(pattern: str, text: str, package: str, start: int, end: int, rank: int) -> Iterator[Said]:
    for found in named(pattern, package).finditer(text, start, end):
        yield Said(rank, cleaned(found.group("spec").rstrip(") \t")), *found.span("spec"))


def _poetry(text: str, package: str, start: int, end: int, rank: int) -> Iterator[Said]:
    for found in named(_POETRY, package).finditer(text, start, end):
        group = "spec" if found.group("spec") is not None else "inner"
        if found.group(group) != "*":
            yield Said(rank, cleaned(found.group(group)), *found.span(group))


def _sections(text: str) -> list[tuple[str, int, int]]:
    """(header, start, end) of each table, without its header."""
    found = list(re.finditer(_HEADER, text))
    ends = [*(match.start() for match in found[1:]), len(text)]
    return [(match.group("name").strip(), match.end(), end) for match, end in zip(found, ends, strict=False)]
