"""The sections of a TOML text: what stands below which header."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from shardlint.syntax.toml_scanner import Header, TomlScanner
from shardlint.syntax.toml_values import TooDeep
from shardlint.syntax.tree import Mapping, Node, Sequence, Span


class Section(NamedTuple):
    """A header and the last entry below it. The first section has no header: an empty span at the start."""

    path: tuple[str, ...]
    array: bool
    header: Span
    last: Span | None


def sections(text: str) -> list[Section]:
    """The sections in the order written. Below an array of tables everything belongs to its last item."""
    scanner = TomlScanner(text)
    try:
        scanner.run()
    except TooDeep:
        return []
    headers = [Header((), Span(0, 0), False), *scanner.headers]
    ends = [header.span.start for header in headers[1:]] + [len(text)]
    spans = sorted(_entries(scanner.tables.root))
    arrays = {header.path for header in headers if header.array}
    return [
        Section(header.path, _within(header.path, arrays), header.span, _last(spans, header.span.end, end))
        for header, end in zip(headers, ends, strict=True)
    ]


def _within(path: tuple[str, ...], tables: set[tuple[str, ...]]) -> bool:
    """Whether a path is one of the tables or below one."""
    return any(path[:depth] in tables for depth in range(1, len(path) + 1))


def _last(spans: list[Span], start: int, end: int) -> Span | None:
    """The last entry that stands between two offsets."""
    before = bisect_left(spans, (end, end)) - 1
    return spans[before] if before >= 0 and spans[before].start >= start else None


def _entries(root: Mapping) -> list[Span]:
    """Key to value of every entry; a table of its own is none."""
    found: list[Span] = []
    pending: list[Node] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Mapping):
            for pair in node.pairs:
                if isinstance(pair.value, Mapping | Sequence) and not pair.value.flow:
                    pending.append(pair.value)
                else:
                    found.append(pair.span)
        elif isinstance(node, Sequence):
            pending.extend(node.items)
    return found
