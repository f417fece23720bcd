"""The output formats of `check`: each a module with `render(report, screen) -> Iterator[str]` of lines."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from shardlint.report import Report
from shardlint_cli.terminal import Screen

FORMATS = {"text": "text", "json": "json_report"}
"""Name of the format -> module of this package, imported when asked for."""


class Renderer(Protocol):
    def render(self, report: Report, screen: Screen) -> Iterator[str]: ...


def renderer(name: str) -> Renderer:
    return cast("Renderer", import_module(f"{__name__}.{FORMATS[name]}"))
