"""What stands at an offset, and what could be written there, in whole texts and in half-typed ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shardlint.syntax.document import Document
from shardlint.syntax.keypath import KeyPath
from shardlint.syntax.parse import parse
from shardlint.syntax.tree import Mapping, Node, Pair, Scalar, Span
from shardlint.syntax.view import Dialect, Entry, View
from shardlint_lsp.caret.comments import comment_at
from shardlint_lsp.caret.word import Word, word_at
from shardlint_lsp.tree import children, holds, reaches

MARK = "shardlint-caret"
KEY, VALUE, HEADER = "key", "value", "header"
_VALUE_BEHIND = {
    "toml": re.compile(r"[ \t]*[^\s#,\]}]"),
    "": re.compile(r"""\s*(?:[{\[]|(?:"(?:[^"\\\n]|\\.)*"|[\w.+-]+(?![\w.+-]))(?!\s*:))"""),
}
_REST_OF_LINE = re.compile(r"[ \t]*[^\s#]")


class Touched(NamedTuple):
    """A key or value of a text: its entry, the span of the part touched and whether that is the key."""

    entry: Entry
    span: Span
    on_key: bool


class Spot(NamedTuple):
    """A place to write at.

    `kind` is KEY, VALUE, or HEADER for the name of a TOML table. `path` is the section of a key, the key of
    a value. `view` reads the text with `MARK` in the place of `word`, which is what an edit replaces.
    `followed`: the value of the key is there. `margin` is the white space keys of the section start behind.
    """

    view: View
    kind: str
    path: KeyPath
    word: Word
    followed: bool = False
    margin: str = ""
    rootless: bool = False

    @property
    def style(self) -> str:
        """How the place is written: json, toml, yaml, or flow for YAML inside braces."""
        language = self.view.document.language
        return "flow" if language == "yaml" and self.word.flow else language


def touched(view: View, offset: int) -> Touched | None:
    """The key or the single value at an offset; of two that meet there, the one that starts."""
    found: Touched | None = None
    for entry in _entries(view, offset):
        for part in _parts(entry):
            if part.span.start <= offset < part.span.end:
                return part
            if holds(part.span, offset):
                found = part
    return found


def _entries(view: View, offset: int) -> Iterator[Entry]:
    """The entries around an offset; in TOML all, where a table may stand in pieces."""
    if view.document.language == "toml" or view.root is None:
        yield from view.walk()
        return
    text = view.document.text
    pending: list[tuple[KeyPath, Node]] = [((), view.root)]
    while pending:
        path, node = pending.pop()
        for index, (pair, value) in enumerate(children(node)):
            if reaches(pair.span if pair is not None else value.span, offset, text):
                step = pair.key.text if pair is not None else index
                yield Entry(view, (*path, step), pair, value)
                pending.append(((*path, step), value))


def _parts(entry: Entry) -> Iterator[Touched]:
    if entry.pair is not None and entry.pair.key.raw:
        yield Touched(entry, entry.pair.key.span, True)
    if isinstance(entry.node, Scalar) and entry.node.raw:
        yield Touched(entry, entry.node.span, False)


def spot_at(document: Document, dialect: Dialect, offset: int) -> Spot | None:
    """What can be written at an offset; None in comments, inside longer texts and where nothing belongs."""
    if document.language == "text" or comment_at(document, offset) is not None or _outside(document, offset):
        return None
    word = word_at(document, offset)
    if word.header:
        return Spot(View(document, dialect), HEADER, (), word)
    for filling in _fillings(document, word):
        text = document.text[: word.span.start] + filling + document.text[word.span.end :]
        spot = _marked(parse(text, document.name, document.language), dialect, word)
        if spot is not None:
            return (
                None if _taken(document, spot, word) else spot._replace(margin=_margin(document, spot, word))
            )
    return None


def _taken(document: Document, spot: Spot, word: Word) -> bool:
    """Whether nothing is typed yet and what would be written stands right behind: a value, or a line."""
    if word.span.start != word.span.end:
        return False
    if spot.kind == VALUE:
        behind = _VALUE_BEHIND["toml" if document.language == "toml" else ""]
        return isinstance(spot.path[-1], str) and behind.match(document.text, word.span.end) is not None
    block = document.language != "json" and not word.flow
    return block and _REST_OF_LINE.match(document.text, word.span.end) is not None


def _outside(document: Document, offset: int) -> bool:
    """Whether an offset lies beside the braces around a whole JSON text."""
    if document.language != "json" or not document.roots:
        return False
    start, end = document.roots[0].span
    braces = document.text[start : start + 1] == "{"
    closed = document.text[end - 1 : end] == "}" and end - start > 1
    return braces and (offset <= start or (closed and offset >= end))


def _fillings(document: Document, word: Word) -> Iterator[str]:
    """What to put in the place of the word so that the parser sees a key or a value there."""
    lead, trail = "," if word.lead is not None else "", "," if word.trail else ""
    if document.language == "yaml":
        space = " " if document.text[: word.span.start].endswith(":") else ""
        if word.alone and not word.flow and not word.followed:
            yield f"{MARK}:"
        yield f"{space}{lead}{MARK}{trail}"
        return
    yield f'{lead}"{MARK}"{trail}'
    if document.language == "toml":
        yield f'{lead}"{MARK}" = 0{trail}'


def _marked(document: Document, dialect: Dialect, word: Word) -> Spot | None:
    offset = document.text.find(MARK, word.span.start)
    for index, root in enumerate(document.roots):
        view = View(document, dialect, index)
        if isinstance(root, Scalar) and root.text == MARK:
            return Spot(view, KEY, (), word, rootless=document.language == "json")
        for entry in _entries(view, offset):
            if _is_mark(entry.pair):
                return Spot(view, KEY, entry.path[:-1], word, word.followed)
            if isinstance(entry.node, Scalar) and entry.node.text == MARK:
                return Spot(view, VALUE, entry.path, word)
    return None


def _is_mark(pair: Pair | None) -> bool:
    return pair is not None and pair.key.text == MARK


def _margin(document: Document, spot: Spot, word: Word) -> str:
    """The white space before the keys of the section, or before the line where it has none yet."""
    text = document.text
    start = text.rfind("\n", 0, word.span.start) + 1
    own = re.match(r"[ \t]*", text[start : word.span.start])
    margin = own.group() if own else ""
    if document.language != "yaml" or word.flow:
        return margin
    marked = spot.view.document
    entry = spot.view.get(*spot.path) if spot.path else None
    if spot.kind == VALUE:
        return _column(marked, entry.key_span) if entry is not None and entry.pair is not None else margin
    section = entry.node if entry is not None else spot.view.root
    pairs = section.pairs if isinstance(section, Mapping) else []
    other = next((pair for pair in pairs if not _is_mark(pair)), None)
    return _column(marked, other.key.span) if other is not None else " " * (word.span.start - start)


def _column(document: Document, span: Span) -> str:
    """As much white space as stands before a span, or would."""
    return " " * (document.position(span.start).column - 1)
