"""JSON and hjson text -> Document: scan, scan again by indentation if need be, ask what hjson makes of it."""

from __future__ import annotations

from shardlint.syntax.document import Document, Fault, Mark
from shardlint.syntax.json_scanner import Scanner
from shardlint.syntax.tree import Span

_HARMLESS = frozenset(("comment", "trailing-comma", "duplicate-key", "template", "empty"))
"""Marks after which hjson certainly reads on."""

_STOPS_HJSON = frozenset(("raw-control", "overflow-float"))
"""Marks that explain by themselves why hjson gives up."""


def parse_json(name: str, text: str) -> Document:
    """Parse JSON or hjson. Never raises; the tree is the one that was meant, as far as that can be told.

    A fault is what neither Python's json nor hjson reads. What hjson alone reads is a mark (`hjson-only`
    where it takes broken JSON for a long unquoted text), what hjson alone refuses the mark `hjson-break`.
    hjson reads another tree than this one where an unquoted text takes in the rest of its line (mark
    `swallowed`; what stands there is `guessed`) or where a key lost one quote (mark `stray-quote`).
    """
    document = Document(name, text, "json")
    scanner = Scanner(document)
    scanner.run()
    if scanner.unbalanced and len(document.line_starts) > 1:
        scanner = _by_indentation(document)
    if not any(fault.limit for fault in scanner.faults):
        _ask_hjson(scanner)
    document.roots = () if scanner.root is None else (scanner.root,)
    document.faults = tuple(sorted(scanner.faults, key=_start))
    document.marks = tuple(sorted(scanner.marks, key=_start))
    document.comments = tuple(scanner.comments)
    return document


def _by_indentation(document: Document) -> Scanner:
    from shardlint.syntax.json_repair import IndentScanner

    scanner = IndentScanner(document)
    scanner.run()
    return scanner


def _start(place: Fault | Mark) -> int:
    return place.span.start


def _ask_hjson(scanner: Scanner) -> None:
    """Settle what hjson does where it and the tree may differ: faults it reads over, text it cannot read."""
    if not scanner.faults and all(mark.kind in _HARMLESS for mark in scanner.marks):
        return
    from shardlint.syntax.hjson_reader import hjson_stop

    stop = hjson_stop(_without_placeholders(scanner))
    if stop is None:
        scanner.marks.extend(Mark("hjson-only", fault.span, fault.related) for fault in scanner.faults)
        scanner.faults.clear()
    elif not scanner.faults and not any(mark.kind in _STOPS_HJSON for mark in scanner.marks):
        scanner.marks.append(Mark("hjson-break", Span(stop, min(stop + 1, scanner.size))))


def _without_placeholders(scanner: Scanner) -> str:
    """The text with a number, padded to length, for every placeholder."""
    text = scanner.text
    pieces: list[str] = []
    at = 0
    for mark in sorted(scanner.marks, key=_start):
        if mark.kind == "template" and mark.span.start >= at:
            pieces += (text[at : mark.span.start], "0".ljust(mark.span.end - mark.span.start))
            at = mark.span.end
    return "".join((*pieces, text[at:]))
