"""YAML anchors and the aliases that stand for them."""

from __future__ import annotations

import re
from typing import NamedTuple

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Alias, Node, Span
from shardlint_lsp.tree import aliases, holds

BEFORE = " \t\r\n,:[{-"


class Anchor(NamedTuple):
    """`&name` and the aliases of it, in the order written."""

    span: Span
    aliases: tuple[Span, ...]


def anchor_at(document: Document, offset: int) -> Anchor | None:
    """The anchor that stands at an offset, or that the alias there stands for; None where there is neither,
    or no alias uses it."""
    if document.language != "yaml" or "*" not in document.text:
        return None
    found = [alias for alias in aliases(*document.roots) if alias.target is not None]
    on = next((alias for alias in found if holds(alias.span, offset)), None)
    if on is None and "&" not in document.line_text(document.position(offset).line):
        return None
    targets = [on] if on is not None else list({id(alias.target): alias for alias in found}.values())
    for alias in targets:
        span = _anchor(document, alias)
        if span is not None and (on is not None or holds(span, offset)):
            return Anchor(span, tuple(other.span for other in found if other.target is alias.target))
    return None


def _anchor(document: Document, alias: Alias) -> Span | None:
    """Where the anchor of an alias is written: the last `&name` before the node it names, comments aside."""
    target: Node | None = alias.target
    assert target is not None
    text, mark = document.text, f"&{alias.name}"
    at = text.rfind(mark, 0, target.span.start)
    while at >= 0:
        ends = re.match(r"[\s,\]}]", text[at + len(mark) : at + len(mark) + 1])
        begins = at == 0 or text[at - 1] in BEFORE
        if ends and begins and not any(span.start <= at < span.end for span in document.comments):
            return Span(at, at + len(mark))
        at = text.rfind(mark, 0, at)
    return None
