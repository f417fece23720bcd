"""`--set name=value` and the settings an editor sends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingType
from typing import NamedTuple

from shardlint.plan import Fact
from shardlint.report import Finding, Notice, Place
from shardlint.settings.layers import EDITOR, FLAG, Layer
from shardlint.settings.problems import understood
from shardlint.settings.values import read_word
from shardlint.syntax.tree import Span

SET = "--set"


class Outside(NamedTuple):
    """A layer that stands in no file, and what is wrong with it."""

    layer: Layer
    notices: tuple[Notice, ...]


def read_flags(flags: Iterable[str]) -> Outside:
    """`--set` arguments. A bad one is a notice and the others still apply."""
    values: dict[str, Fact[object]] = {}
    notices: list[Notice] = []
    for flag in flags:
        name, equals, text = flag.partition("=")
        name = name.strip().removeprefix("facts.")
        if not equals or not name or not text.strip():
            notices.append(Notice(SET, f"{SET} {flag}: write {SET} NAME=VALUE"))
            continue
        _take(name, read_word(text.strip()), text.strip(), SET, values, notices)
    return Outside(Layer(FLAG, values), tuple(notices))


def read_editor(settings: MappingType[str, object]) -> Outside:
    """The settings an editor sends, nested or dotted."""
    values: dict[str, Fact[object]] = {}
    notices: list[Notice] = []
    for name, value in _flat(settings, ""):
        if value is not None:
            _take(name.removeprefix("facts."), value, written(value), "editor settings", values, notices)
    return Outside(Layer(EDITOR, values), tuple(notices))


def written(value: object) -> str:
    """A value an editor sent, as its settings write it."""
    from json import dumps

    return dumps(value, ensure_ascii=False, default=str)


def _take(
    name: str, value: object, raw: str, origin: str, values: dict[str, Fact[object]], notices: list[Notice]
) -> None:
    fact, finding = understood(name, value, raw, origin, Place(origin, name, Span(0, 0)))
    if fact is not None:
        values[name] = Fact(fact.value, origin)
    if finding is not None:
        notices.append(_notice(finding, origin, fact is None))


def _notice(finding: Finding, origin: str, refused: bool) -> Notice:
    return Notice(origin, f"{origin}: {finding.message}", asked=refused)


def _flat(settings: MappingType[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    pending = [(prefix, settings)]
    while pending:
        before, level = pending.pop()
        for key, value in level.items():
            name = f"{before}{key}"
            if isinstance(value, dict):
                pending.append((f"{name}.", value))  # pyright: ignore[reportUnknownArgumentType]
            else:
                yield name, value
