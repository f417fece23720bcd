"""Changes as a unified diff, as `git apply` and `patch -p1` take it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import unified_diff

from shardlint.engine.fixing import Change
from shardlint_cli.terminal import Screen

NO_NEWLINE = "\\ No newline at end of file"


def render(changes: Iterable[Change], screen: Screen) -> Iterator[str]:
    """Lines without their line feed; a carriage return stays, so that the diff can be applied."""
    for change in changes:
        before, after = _lines(change.before), _lines(change.after)
        for line in unified_diff(before, after, f"a/{change.path}", f"b/{change.path}"):
            yield _painted(line.removesuffix("\n"), screen)
            if not line.endswith("\n"):
                yield NO_NEWLINE


def _lines(text: str) -> list[str]:
    """The lines with their line feeds; other characters end no line here."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + parts[-1:] * bool(parts[-1])


def _painted(line: str, screen: Screen) -> str:
    if line.startswith(("+++", "---")):
        return screen.paint(line, "bold")
    if line.startswith("+"):
        return screen.paint(line, "added")
    if line.startswith("-"):
        return screen.paint(line, "removed")
    return line
