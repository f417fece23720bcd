"""Settings written into a TOML text: one small edit that leaves all other text as it is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from shardlint.report import Edit
from shardlint.settings.toml_sections import Section, sections
from shardlint.syntax.document import Document
from shardlint.syntax.expression import expression
from shardlint.syntax.tree import Mapping, Node, Scalar, Sequence, Span
from shardlint.syntax.view import Value, View

Path: TypeAlias = "tuple[str, ...]"
_BARE = expression(r"[A-Za-z0-9_-]+\Z")


class Replacement(NamedTuple):
    """`text` in place of what stands between two offsets."""

    start: int
    end: int
    text: str


class Written(NamedTuple):
    """An edit, the document it leads to, and where the value stands there."""

    edit: Edit
    after: Document
    span: Span


def write(document: Document, table: Path, key: Path, value: Value) -> Written | None:
    """`key = value` in a table, in place of what the key says so far. None where the text cannot take it:
    something else stands in the way, or the text is broken there."""
    return _first(document, (*table, *key), value, _settings(document, table, key, toml(value)))


def add(document: Document, table: Path, key: Path, word: str) -> Written | None:
    """A word more in the list at a key; None as for `write`, or where the word is in the list."""
    path = (*table, *key)
    entry = _view(document).get(*path)
    if entry is None:
        return write(document, table, key, [word])
    known = entry.value if isinstance(entry.value, list) else [entry.value]
    if word in known:
        return None
    return _first(document, path, [*known, word], _longer(document, entry.node, toml(word)))


def toml(value: Value) -> str:
    """A value as TOML writes it."""
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _first(document: Document, path: Path, value: Value, edits: Iterable[Replacement]) -> Written | None:
    """The first edit after which the value is read at the path, and everything else as before."""
    wanted = _placed(_view(document).value(), path, value)
    for start, end, text in edits:
        after = _parsed(document, document.text[:start] + text + document.text[end:])
        view = _view(after)
        entry = view.get(*path)
        if entry is not None and len(after.faults) <= len(document.faults) and view.value() == wanted:
            return Written(Edit(document.name, Span(start, end), text), after, entry.node.span)
    return None


def _parsed(document: Document, text: str) -> Document:
    from shardlint.syntax.parse import parse

    return parse(text, document.name, "toml")


def _view(document: Document) -> View:
    from shardlint.syntax.dialects.toml import TOML

    return View(document, TOML)


def _placed(whole: Value, path: Path, value: Value) -> Value:
    """What a text says once it says `value` at the path."""
    if not path:
        return value
    known = whole if isinstance(whole, dict) else {}
    return {**known, path[0]: _placed(known.get(path[0]), path[1:], value)}


def _settings(document: Document, table: Path, key: Path, text: str) -> Iterator[Replacement]:
    """Edits that may set a key, the one that looks best first."""
    view, path = _view(document), (*table, *key)
    entry = view.get(*path)
    if entry is not None:
        yield Replacement(*entry.node.span, text)
        return
    for depth in range(len(path) - 1, 0, -1):
        parent = view.get(*path[:depth])
        if parent is not None and isinstance(parent.node, Mapping) and parent.node.flow:
            yield _into_braces(parent.node, f"{_dotted(path[depth:])} = {text}")
    holding = [s for s in sections(document.text) if not s.array and s.path == path[: len(s.path)]]
    lines = [
        (len(section.path), _line(document.text, section, f"{_dotted(path[len(section.path) :])} = {text}"))
        for section in sorted(holding, key=lambda section: -len(section.path))
        if section.path or section.last is not None
    ]
    yield from (line for depth, line in lines if depth >= len(table))
    yield _new_section(document.text, table, f"{_dotted(key)} = {text}")
    yield from (line for depth, line in lines if depth < len(table))


def _line(text: str, section: Section, line: str) -> Replacement:
    """After the last entry of a section, indented as it is; right below the header where there is none."""
    anchor = section.last or section.header
    begin = text.rfind("\n", 0, anchor.start) + 1
    indent = text[begin : anchor.start] if not text[begin : anchor.start].strip() else ""
    end = _line_end(text, anchor.end)
    return Replacement(end, end, f"{_newline(text)}{indent}{line}")


def _new_section(text: str, table: Path, line: str) -> Replacement:
    newline = _newline(text)
    gap = "" if not text.strip() else newline if text.endswith(("\n", "\r")) else newline * 2
    return Replacement(len(text), len(text), f"{gap}[{_dotted(table)}]{newline}{line}{newline}")


def _into_braces(table: Mapping, line: str) -> Replacement:
    if table.pairs:
        at = table.pairs[-1].span.end
        return Replacement(at, at, f", {line}")
    return Replacement(*table.span, f"{{ {line} }}")


def _longer(document: Document, node: Node, word: str) -> Iterator[Replacement]:
    """A list with an item more, on a line of its own where the last one has that; a single word as a list."""
    if isinstance(node, Scalar):
        yield Replacement(*node.span, f"[{node.raw}, {word}]")
    elif isinstance(node, Sequence) and not node.items:
        yield Replacement(node.span.start + 1, node.span.start + 1, word)
    elif isinstance(node, Sequence):
        text, last = document.text, node.items[-1].span
        begin = text.rfind("\n", 0, last.start) + 1
        alone = not text[begin : last.start].strip()
        gap = _newline(text) + text[begin : last.start] if alone else " "
        yield Replacement(last.end, last.end, f",{gap}{word}")


def _dotted(path: Path) -> str:
    return ".".join(step if _BARE.match(step) else toml(step) for step in path)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if end > at and text[end - 1] == "\r" else end
