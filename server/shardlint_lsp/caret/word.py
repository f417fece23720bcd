"""The half-typed word at an offset, and what must stand around whatever takes its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Mapping, Node, Pair, Scalar, Sequence, Span
from shardlint_lsp.caret.comments import comment_over
from shardlint_lsp.tree import holds, near, walk

_BACKWARDS = {"toml": r"[\w.\-\"'/+@]*", "": r"[\w.\-/+@]*[\"']?"}
_AFTER = {"toml": r"[\w.\-\"'/+@]*", "": r"[\w.\-/+@]*"}
_HEADER = re.compile(r"\s*\[\[?\s*[\w.\-\"']*\Z")
_ALONE = re.compile(r"[ \t]*(?:-[ \t]+)*\Z")
_FOLLOWED = {
    "json": re.compile(r"\s*:"),
    "yaml": re.compile(r"[ \t]*:(?=\s|\Z)"),
    "toml": re.compile(r"[ \t]*="),
}
_OPENERS, _CLOSERS = "{[,:=", ",}]:="
_CUT = re.compile(r"[ \t]*[,:{}\[\]]")


class Word(NamedTuple):
    """A word on one line, quotes included; empty where nothing is typed.

    `typed` is its text before the offset. `alone`: only white space (and list dashes) stands before it on its
    line. `flow`: inside braces or brackets. `followed`: a colon or equals sign comes next. `lead` is where a
    comma is missing before it, `trail` whether one is missing after it. `header`: the name of a TOML table.
    """

    span: Span
    typed: str
    alone: bool
    flow: bool
    followed: bool
    lead: int | None
    trail: bool
    header: bool


def word_at(document: Document, offset: int) -> Word:
    """The word at an offset of a text in JSON, YAML or TOML."""
    text, language = document.text, document.language
    span = _span(document, offset)
    line = text.rfind("\n", 0, span.start) + 1
    before = text[line : span.start]
    closed = _flow(document, offset)
    flow = language == "json" or closed is not None
    last = last_before(document, span.start)
    after = next_after(document, span.end)
    separated = document.name.endswith(".hjson") and text[last + 1 : span.start].count("\n")
    missing = flow and not separated and last >= 0 and text[last] not in _OPENERS
    follows = after < len(text) and text[after] not in _CLOSERS
    return Word(
        span,
        text[span.start : offset],
        _ALONE.match(before) is not None,
        flow,
        _FOLLOWED[language].match(text, span.end) is not None,
        last + 1 if missing else None,
        flow and closed is not False and follows and not document.name.endswith(".hjson"),
        language == "toml" and _HEADER.match(text[line:offset]) is not None and closed is None,
    )


def _span(document: Document, offset: int) -> Span:
    token = _token(document, offset)
    if token is not None:
        return token
    text, kind = document.text, "toml" if document.language == "toml" else ""
    line = document.line_starts[bisect_right(document.line_starts, offset) - 1]
    before = re.match(_BACKWARDS[kind], text[line:offset][::-1])
    after = re.match(_AFTER[kind], text[offset : offset + 200])
    start = offset - before.end() if before else offset
    end = offset + after.end() if after else offset
    quote = text[start : start + 1]
    closed = quote in ("'", '"') and kind == "" and text[end : end + 1] == quote
    return Span(start, end + 1 if closed else end)


def _token(document: Document, offset: int) -> Span | None:
    """The scalar at an offset as the parser sees it, as far as it stands on the line."""
    text = document.text
    for scalar in _scalars(document, offset):
        start, end = scalar.span
        if not scalar.raw or not holds(scalar.span, offset) or scalar.raw[:1] in ("{", "["):
            continue
        quoted = scalar.raw[:1] in ('"', "'")
        broken = text.find("\n", start, end)
        if 0 <= broken < offset or (not quoted and (broken >= 0 or _loose(document, scalar))):
            return None
        end = broken if broken >= 0 else end
        if document.faults and quoted:
            cut = _CUT.search(text, offset, end)
            end = cut.start() if cut else end
        return Span(start, max(end, offset))
    return None


def _loose(document: Document, scalar: Scalar) -> bool:
    """Whether plain text of several words is only read so because something is missing between them."""
    words = scalar.raw.split()
    return len(words) > 1 and (document.language != "yaml" or words[-1][:1] in ('"', "'"))


def _nodes(document: Document, offset: int) -> Iterator[tuple[Pair | None, Node]]:
    """The nodes around an offset; in TOML all, where a table may stand in pieces."""
    if document.language == "toml":
        return walk(*document.roots)
    return near(offset, document.text, *document.roots)


def _scalars(document: Document, offset: int) -> Iterator[Scalar]:
    for pair, node in _nodes(document, offset):
        if pair is not None and document.language != "toml":
            yield pair.key
        if isinstance(node, Scalar):
            yield node


def _flow(document: Document, offset: int) -> bool | None:
    """Whether the innermost braces or brackets around an offset are closed; None outside of any."""
    text = document.text
    inner: Span | None = None
    for _, node in _nodes(document, offset):
        if not isinstance(node, Mapping | Sequence) or not node.flow or node.span.start >= offset:
            continue
        start, end = node.span
        if text[start : start + 1] not in ("{", "["):
            continue
        open_end = text.find("\n", end) if text[end - 1 : end] not in ("}", "]") else end - 1
        if offset <= (open_end if open_end >= 0 else len(text)) and (inner is None or start > inner.start):
            inner = node.span
    return None if inner is None else text[inner.end - 1] in "}]"


def last_before(document: Document, offset: int, least: int = 0) -> int:
    """The last character before an offset, from `least` on, that is neither white space nor comment; else
    -1."""
    text, at = document.text, offset - 1
    while at >= max(least, 0):
        comment = comment_over(document, at)
        if comment is not None:
            at = comment.start - 1
        elif text[at].isspace():
            at -= 1
        else:
            return at
    return -1


def next_after(document: Document, offset: int, most: int | None = None) -> int:
    """The next character from an offset on, before `most`, that is neither white space nor comment; else the
    end of the text."""
    text, at = document.text, offset
    end = len(text) if most is None else min(most, len(text))
    while at < end:
        comment = comment_over(document, at)
        if comment is not None:
            at = comment.end
        elif text[at].isspace():
            at += 1
        else:
            return at
    return len(text)
