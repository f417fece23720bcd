"""TOML text to a Document: places from a scanner of our own, validity from tomllib."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from shardlint.syntax.document import Document, Fault
from shardlint.syntax.expression import expression
from shardlint.syntax.toml_scanner import TomlScanner
from shardlint.syntax.toml_values import TooDeep
from shardlint.syntax.tree import Span

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_FAULTS = 100

_PLACE = expression(r" \(at (?:line (\d+), column (\d+)|end of document)\)\Z")


def parse_toml(name: str, text: str) -> Document:
    """Parse TOML. Never raises: faults are data, and the rest of the tree is still there.

    The tree is nested as TOML means it: `[a.b]` is a key `b` in the mapping of `a`. A table's span runs from
    its first key to its last value, wherever those stand. Marks: duplicate-key (tomllib refuses it, so it is
    a fault too), comment, template (an unquoted placeholder as a value).
    """
    scanner = TomlScanner(text)
    try:
        scanner.run()
        faults = _judged(scanner)
    except TooDeep as deep:
        faults = [
            Fault(
                "too-deep",
                Span(deep.at, min(deep.at + 1, len(text))),
                f"{deep}, the rest is not read",
                limit=True,
            )
        ]
    root = scanner.tables.root
    marks = sorted(scanner.marks(), key=lambda mark: mark.span)
    roots = (root,) if root.pairs else ()
    return Document(
        name, text, "toml", roots, tuple(faults[:MAX_FAULTS]), tuple(marks), tuple(scanner.comments)
    )


def _judged(scanner: TomlScanner) -> list[Fault]:
    """No fault where tomllib reads the text; else those the scanner saw, or the one tomllib names."""
    refusal = _refusal(_filled(scanner))
    if refusal is None:
        return []
    place = _offset(scanner.text, refusal)
    if scanner.faults:
        return [_related(fault, place) for fault in scanner.faults]
    repeated = [mark for mark in scanner.tables.marks if mark.kind == "duplicate-key"]
    if repeated:
        return [
            Fault("duplicate-key", m.span, f"`{_key(scanner.text, m.span)}` is given twice", m.related)
            for m in repeated
        ]
    end = min(place + 1, len(scanner.text))
    return [
        Fault("toml-syntax", Span(min(place, end), end), f"not readable as TOML: {_PLACE.sub('', refusal)}")
    ]


def _related(fault: Fault, place: int) -> Fault:
    if fault.span.start <= place <= fault.span.end:
        return fault
    return fault._replace(related=Span(place, place))


def _filled(scanner: TomlScanner) -> str:
    """The text with a number, as long, for every unquoted placeholder."""
    text, done, parts = scanner.text, 0, list[str]()
    for start, end in scanner.placeholders:
        parts += text[done:start], "1" * (end - start)
        done = end
    return "".join([*parts, text[done:]])


def _refusal(text: str) -> str | None:
    """tomllib's message, or None where it reads the text."""
    try:
        _loads()(text)
    except RecursionError:
        return "nested too deeply"
    except ValueError as fault:
        return _said(str(fault))
    return None


def _said(message: str) -> str:
    """tomllib's message; what Python says of an int that is too long names a function of its own."""
    return "a whole number of more than 4300 digits" if "set_int_max_str_digits" in message else message


def _loads() -> Callable[[str], dict[str, Any]]:
    from importlib import import_module

    module: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    return module.loads


def _offset(text: str, message: str) -> int:
    """tomllib counts lines by LF alone, after turning CRLF into LF."""
    found = _PLACE.search(message)
    if found is None or found.group(1) is None:
        return len(text)
    at = 0
    for _ in range(int(found.group(1)) - 1):
        at = text.find("\n", at) + 1
    return min(at + int(found.group(2)) - 1, len(text))


def _key(text: str, span: Span) -> str:
    return text[span.start : span.end]
