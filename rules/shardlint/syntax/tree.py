"""The nodes of a positioned tree, the same for JSON, hjson, YAML and TOML.

Spans are half-open offsets in code points of `Document.text`. Nodes are plain objects with an
explicit shape so that a parser can build 10,000 of them in a few milliseconds.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Span(NamedTuple):
    """Half-open range of code-point offsets."""

    start: int
    end: int


class Scalar:
    """A leaf. `raw` is the text as written (quotes included), `text` its decoded content.

    `style` is one of plain, double, single, triple, literal, folded, missing (a value that was not
    written: `key:` and nothing after it; the span is then empty). `tag` is a YAML tag as written or "".
    `guessed` marks a node that stands on text which had to be repaired: no error may rest on it.
    """

    __slots__ = ("guessed", "raw", "span", "style", "tag", "text")

    def __init__(
        self, span: Span, raw: str, text: str, style: str = "plain", tag: str = "", guessed: bool = False
    ) -> None:
        self.span = span
        self.raw = raw
        self.text = text
        self.style = style
        self.tag = tag
        self.guessed = guessed

    def __repr__(self) -> str:
        return f"Scalar({self.raw!r}, {self.style}, {self.span.start}:{self.span.end})"


class Pair:
    """A key and its value. `span` covers both, without a trailing comma or comment."""

    __slots__ = ("guessed", "key", "span", "value")

    def __init__(self, key: Scalar, value: Node, span: Span, guessed: bool = False) -> None:
        self.key = key
        self.value = value
        self.span = span
        self.guessed = guessed

    def __repr__(self) -> str:
        return f"Pair({self.key.text!r}: {self.value!r})"


class Mapping:
    """Pairs in the order written, duplicates included. `flow` is the braces form."""

    __slots__ = ("flow", "guessed", "pairs", "span", "tag")

    def __init__(
        self, span: Span, pairs: list[Pair], flow: bool = True, tag: str = "", guessed: bool = False
    ) -> None:
        self.span = span
        self.pairs = pairs
        self.flow = flow
        self.tag = tag
        self.guessed = guessed

    def __repr__(self) -> str:
        return f"Mapping({self.pairs!r})"


class Sequence:
    """Items in the order written. `flow` is the brackets form."""

    __slots__ = ("flow", "guessed", "items", "span", "tag")

    def __init__(
        self, span: Span, items: list[Node], flow: bool = True, tag: str = "", guessed: bool = False
    ) -> None:
        self.span = span
        self.items = items
        self.flow = flow
        self.tag = tag
        self.guessed = guessed

    def __repr__(self) -> str:
        return f"Sequence({self.items!r})"


class Alias:
    """A YAML alias `*name`; `target` is the anchored node, or None when no anchor has that name."""

    __slots__ = ("guessed", "name", "span", "target")

    def __init__(self, span: Span, name: str, target: Node | None, guessed: bool = False) -> None:
        self.span = span
        self.name = name
        self.target = target
        self.guessed = guessed

    def __repr__(self) -> str:
        return f"Alias(*{self.name})"


Node: TypeAlias = "Scalar | Mapping | Sequence | Alias"
