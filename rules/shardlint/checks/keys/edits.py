"""Edits of keys: rename one, delete one with its comma or its lines."""

from __future__ import annotations

from shardlint.formats.reading import Reading
from shardlint.report import Edit, Fix
from shardlint.syntax.tree import Mapping, Scalar, Span
from shardlint.syntax.view import Entry, View

_COMMENTS = ("#", "//", "/*")


def rename_key(reading: Reading, entry: Entry, name: str, *, safe: bool) -> tuple[Fix, ...]:
    """The key under another name, in the quotes it stands in."""
    pair = entry.pair
    if pair is None or entry.guessed:
        return ()
    quote = pair.key.raw[:1] if pair.key.raw[:1] in ('"', "'") else ""
    edit = Edit(reading.document.name, pair.key.span, f"{quote}{name}{quote}")
    return (Fix(f"Rename it to {name}", safe, (edit,)),)


def delete_key(reading: Reading, entry: Entry, *, safe: bool) -> tuple[Fix, ...]:
    """The file without the key; nothing where comments or a lone key make that more than a cut."""
    span = _cut(reading.view, entry)
    if span is None:
        return ()
    return (Fix(f"Delete {entry.name}", safe, (Edit(reading.document.name, span, ""),)),)


def replace_text(reading: Reading, entry: Entry, text: str, title: str, *, safe: bool) -> tuple[Fix, ...]:
    """The value written as `text`, in the quotes it stands in."""
    node = entry.node
    if not isinstance(node, Scalar) or entry.guessed or node.style not in ("plain", "double", "single"):
        return ()
    quote = node.raw[:1] if node.raw[:1] in ('"', "'") else ""
    edit = Edit(reading.document.name, node.span, f"{quote}{text}{quote}")
    return (Fix(title, safe, (edit,)),)


def unquote(reading: Reading, entry: Entry, text: str, *, safe: bool) -> tuple[Fix, ...]:
    """A quoted value written bare."""
    node = entry.node
    if not isinstance(node, Scalar) or entry.guessed or node.style not in ("double", "single"):
        return ()
    edit = Edit(reading.document.name, node.span, text)
    return (Fix(f"Write {text} without quotes", safe, (edit,)),)


def _cut(view: View, entry: Entry) -> Span | None:
    pair = entry.pair
    parent = view.get(*entry.path[:-1])
    mapping = parent.node if parent is not None else view.root
    if pair is None or entry.guessed or not isinstance(mapping, Mapping) or len(mapping.pairs) < 2:
        return None
    text = view.document.text
    if not mapping.flow:
        return _lines(text, pair.span)
    return _with_comma(text, pair.span)


def _lines(text: str, span: Span) -> Span | None:
    start = text.rfind("\n", 0, span.start) + 1
    if text[start : span.start].strip():
        return None
    last = text[span.start : span.end].rstrip()
    end = text.find("\n", span.start + len(last))
    return Span(start, len(text) if end < 0 else end + 1)


def _with_comma(text: str, span: Span) -> Span | None:
    end = _skip_space(text, span.end)
    if text[end : end + 1] == ",":
        return _whole_line(text, Span(span.start, end + 1))
    before = len(text[: span.start].rstrip())
    if text[before - 1 : before] == "," and not _comment(text[before : span.start]):
        return Span(before - 1, span.end)
    return None


def _whole_line(text: str, span: Span) -> Span | None:
    """Grown to the whole line where nothing else stands on it, else to the next word."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    rest = text[span.end : len(text) if end < 0 else end]
    if _comment(rest):
        return None
    if not text[start : span.start].strip() and not rest.strip() and end >= 0:
        return Span(start, end + 1)
    return Span(span.start, span.end + len(rest) - len(rest.lstrip(" \t")))


def _skip_space(text: str, at: int) -> int:
    return at + len(text[at:]) - len(text[at:].lstrip())


def _comment(text: str) -> bool:
    return any(mark in text for mark in _COMMENTS)
