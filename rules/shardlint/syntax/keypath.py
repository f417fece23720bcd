"""Key paths: `zero_optimization.stage`, `a."b.c"`, `datasets[0].path`, `#2.model` for a second document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from shardlint.syntax.expression import expression

KeyPath: TypeAlias = "tuple[str | int, ...]"

_PLAIN = expression(r"[^\s.\[\]\"#]+\Z")
_STEP = expression(r'\.?(?:"(?:[^"\\]|\\.)*"|\[(\d+)\]|[^.\["]+)')


def render(path: Iterable[str | int], document: int = 0) -> str:
    """The text of a path; an odd segment is quoted as a JSON string, list items are `[i]`."""
    out = f"#{document + 1}" if document else ""
    for step in path:
        if isinstance(step, int):
            out += f"[{step}]"
            continue
        name = step if _PLAIN.match(step) else _quoted(step)
        out += f".{name}" if out else name
    return out


def parse(text: str) -> KeyPath:
    """The inverse of `render` for one document; text that is no path gives one plain segment."""
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None:
            return (text,)
        at = found.end()
        step = found.group().lstrip(".")
        if found.group(1) is not None:
            steps.append(int(found.group(1)))
        else:
            steps.append(_unquoted(step) if step.startswith('"') else step)
    return tuple(steps)


def _quoted(step: str) -> str:
    from json import dumps

    return dumps(step, ensure_ascii=False)


def _unquoted(step: str) -> str:
    from json import loads

    return str(loads(step))
