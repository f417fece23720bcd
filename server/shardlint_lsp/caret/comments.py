"""Which comment an offset lies in."""

from __future__ import annotations

from bisect import bisect_left

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span


def comment_at(document: Document, offset: int) -> Span | None:
    """The comment a caret is in or right behind; at the start of one it is not in it."""
    before = bisect_left(document.comments, (offset, offset)) - 1
    found = document.comments[before] if before >= 0 else None
    return found if found is not None and found.start < offset <= found.end else None


def comment_over(document: Document, at: int) -> Span | None:
    """The comment that the character at an offset is part of."""
    return comment_at(document, at + 1)
