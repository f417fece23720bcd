"""From JSON as hjson takes it to JSON as everybody takes it, where that is a matter of punctuation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.report import Edit, Fix
from shardlint.syntax.dialects.strict_json import STRICT_JSON, json_text
from shardlint.syntax.tree import Span

if TYPE_CHECKING:
    from shardlint.syntax.document import Document, Mark

WORDS = {"True": "true", "False": "false", "None": "null"}


def strict_json(document: Document) -> tuple[Fix, ...]:
    """One fix that rewrites every construct Python's json refuses; none where one has no single rewriting.

    Not safe where it would delete comments.
    """
    edits: list[Edit] = []
    kinds: set[str] = set()
    for mark in document.marks:
        if STRICT_JSON.refusal(mark.kind) is None:
            continue
        edit = _edit(document, mark)
        if edit is None:
            return ()
        edits.append(edit)
        kinds.add(mark.kind)
    return (Fix(_title(kinds), "comment" not in kinds, tuple(edits)),) if edits else ()


def _title(kinds: set[str]) -> str:
    if kinds <= {"comment", "trailing-comma"}:
        names = {"comment": "comments", "trailing-comma": "trailing commas"}
        return f"Delete the {' and '.join(names[kind] for kind in sorted(kinds))}"
    return "Rewrite it as strict JSON"


def _edit(document: Document, mark: Mark) -> Edit | None:
    text, span = document.text, mark.span
    raw = text[span.start : span.end]
    if mark.kind == "comment":
        return Edit(document.name, _comment(text, span), "")
    if mark.kind == "trailing-comma":
        return Edit(document.name, span, "")
    if mark.kind == "missing-comma":
        return Edit(document.name, span, ",")
    if mark.kind == "unquoted-key":
        return Edit(document.name, span, json_text(raw))
    if mark.kind == "python-literal":
        return Edit(document.name, span, WORDS[raw])
    if mark.kind == "single-quoted" and not any(char in raw[1:-1] for char in "\"'\\"):
        return Edit(document.name, span, f'"{raw[1:-1]}"')
    return None


def _comment(text: str, span: Span) -> Span:
    """The comment with the blanks before it, and the whole line where nothing else stands on it."""
    start = span.start
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    alone = start == 0 or text[start - 1] in "\r\n"
    if alone and text[span.end : span.end + 1] in ("\r", "\n"):
        return Span(start, span.end + (2 if text[span.end : span.end + 2] == "\r\n" else 1))
    return Span(start, span.end)
