"""The words of `# shardlint: ...` comments: which setting or rule an offset is on, or could name."""

from __future__ import annotations

import re
from typing import NamedTuple

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span
from shardlint_lsp.caret.comments import comment_at

_LEAD = re.compile(r"[\s#/*;]*")
_PRAGMA = re.compile(r"[\s#/*;]*shardlint\s*:\s*")
_IGNORE = re.compile(r"ignore\s*\[([^\]]*)\]?")
_PAIR = re.compile(r"""([A-Za-z_][\w.\-]*)\s*(=?)\s*("[^"\n]*"?|'[^'\n]*'?|\[[^\]\n]*\]?|[^\s,"'\[]*)""")
START, NAME, VALUE, RULE = "start", "name", "value", "rule"


class PragmaWord(NamedTuple):
    """A word of a pragma. `kind` is START for what may become a pragma, else NAME, VALUE or RULE; `name` the
    setting of a NAME or VALUE."""

    kind: str
    span: Span
    name: str = ""
    value: str = ""
    followed: bool = False

    @property
    def on_value(self) -> bool:
        return self.kind in (VALUE, RULE)


def pragma_word(document: Document, offset: int) -> PragmaWord | None:
    """The word of a pragma at an offset; an empty one where one can be written; None outside of pragmas."""
    comment = comment_at(document, offset)
    if comment is None:
        return None
    text = document.text[comment.start : comment.end]
    at = offset - comment.start
    pragma = _PRAGMA.match(text)
    if pragma is None or at < pragma.end():
        return _start(text, comment.start, at) if pragma is None else None
    body = pragma.end()
    ignore = _IGNORE.match(text, body)
    if ignore is not None and ignore.start(1) <= at <= ignore.end(1):
        return _rule(document.text, comment.start + ignore.start(1), comment.start + ignore.end(1), offset)
    if ignore is not None and at > ignore.start(1):
        return None
    for found in _PAIR.finditer(text, body):
        name = Span(comment.start + found.start(1), comment.start + found.end(1))
        if name.start <= offset <= name.end:
            return PragmaWord(NAME, name, found.group(1), followed=bool(found.group(2)))
        value = Span(comment.start + found.start(3), comment.start + found.end(3))
        if found.group(2) and value.start <= offset <= value.end:
            return PragmaWord(VALUE, value, found.group(1), found.group(3))
    return PragmaWord(NAME, Span(offset, offset))


def _start(text: str, start: int, at: int) -> PragmaWord | None:
    """A comment in which no more than the beginning of `shardlint` stands."""
    lead = _LEAD.match(text)
    begun = text[lead.end() if lead else 0 :].rstrip()
    if lead is None or at < lead.end() or not "shardlint".startswith(begun.removesuffix("*/").rstrip()):
        return None
    return PragmaWord(START, Span(start + lead.end(), start + at))


def _rule(text: str, start: int, end: int, offset: int) -> PragmaWord:
    first = max(text.rfind(",", start, offset) + 1, start)
    comma = text.find(",", offset, end)
    last = comma if comma >= 0 else end
    word = text[first:last]
    left = first + len(word) - len(word.lstrip())
    right = max(left, first + len(word.rstrip()))
    if not left <= offset <= right:
        left = right = offset
    return PragmaWord(RULE, Span(left, right), value=text[left:right])
