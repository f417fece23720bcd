"""Plain scalars that their reader takes for text although they do not look like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.syntax.json_scanner_tokens import NAN_WORDS, ODD_NUMBER, PYTHON_WORDS
from shardlint.syntax.tree import Scalar

if TYPE_CHECKING:
    from shardlint.syntax.document import Document
    from shardlint.syntax.tree import Node

WORDS = frozenset(("python-literal", "nan", "odd-number", "quoteless-string", "swallowed"))
"""Marks of plain scalars that are no JSON."""


def is_unfilled(document: Document) -> bool:
    """Whether placeholders stand where no reader takes them: a script still has to fill the file in."""
    return any(mark.kind == "template" for mark in document.marks)


def may_be_misread(document: Document) -> bool:
    """Whether a document has a plain scalar that is no JSON."""
    return any(mark.kind in WORDS for mark in document.marks)


def swallows(node: Node) -> bool:
    """An unquoted text that hjson reads beyond what was meant: a comma, a bracket, a comment."""
    return isinstance(node, Scalar) and node.style == "plain" and node.text != node.raw


def is_misread(node: Node, value: object) -> bool:
    """Whether hjson takes a number, a boolean or null for text, or takes in more than was meant."""
    if not isinstance(node, Scalar) or node.style != "plain" or not isinstance(value, str):
        return False
    return swallows(node) or node.raw in PYTHON_WORDS | NAN_WORDS or ODD_NUMBER.match(node.raw) is not None


def looks_like_number(text: str) -> bool:
    """Whether Python's `float` takes a text that has a digit in it."""
    try:
        float(text)
    except ValueError:
        return False
    return any(char.isdigit() for char in text)
