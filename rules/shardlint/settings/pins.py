"""Versions the project asks for: requirements.txt and pyproject.toml, by a cheap text search."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from shardlint.plan import DERIVED, Fact, unknown
from shardlint.settings.versions import parse_specifier

REQUIREMENTS = "requirements.txt"
PROJECT = "pyproject.toml"
_PROJECT = r"(?m)^\[project\][ \t]*$"
_OPEN = r"(?m)^dependencies[ \t]*=[ \t]*\["
_CLOSED = r"(?m)\][ \t]*(?:#.*)?$"
_REQUIREMENT = (
    r"""(?im)(?:^|,|(?<=\[))[ \t]*["']?{package}(?:\[[^\]\r\n]{{0,100}}\])?"""
    r"""[ \t]*(?P<spec>(?:===|==|~=|>=|<=|<|>|!=)[^;#"'\r\n]*)"""
)


class ProjectPins:
    """The requirement a project states for a package, from the files of one folder; read once."""

    def __init__(
        self, folder: Path, read: Callable[[Path], str | None], display: Callable[[Path], str]
    ) -> None:
        self._folder = folder
        self._read = read
        self._display = display
        self._texts: dict[Path, str] | None = None

    def __call__(self, package: str) -> Fact[str]:
        for path, text in self._files().items():
            start, end = _stretch(path, text)
            found = re.compile(_REQUIREMENT.format(package=re.escape(package))).search(text, start, end)
            if found is None:
                continue
            specifier = re.sub(r"\s+", "", found.group("spec")).rstrip(",\\")
            if parse_specifier(specifier) is not None:
                line = text.count("\n", 0, found.start("spec")) + 1
                return Fact(specifier, f"{self._display(path)}:{line}", DERIVED)
        return unknown(f"set versions.{package}")

    def _files(self) -> dict[Path, str]:
        if self._texts is None:
            paths = [self._folder / name for name in (REQUIREMENTS, PROJECT)]
            self._texts = {path: text for path in paths if (text := self._read(path)) is not None}
        return self._texts


def _stretch(path: Path, text: str) -> tuple[int, int]:
    """Where requirements of every installation stand: requirements.txt, `dependencies` of a project."""
    if path.name == REQUIREMENTS:
        return 0, len(text)
    project = re.search(_PROJECT, text)
    if project is None:
        return 0, 0
    end = text.find("\n[", project.end()) % (len(text) + 1)
    opened = re.compile(_OPEN).search(text, project.end(), end)
    closed = re.compile(_CLOSED).search(text, opened.end(), end) if opened else None
    return (opened.end(), closed.start()) if opened and closed else (0, 0)
