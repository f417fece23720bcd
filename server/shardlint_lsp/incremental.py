"""Texts after the changes an editor tells: by lines, so that hundreds of changes in one message cost little
more than the lines they touch."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from lsprotocol import types

from shardlint.syntax.document import Document
from shardlint_lsp.positions import points


def edited(text: str, changes: Iterable[types.TextDocumentContentChangeEvent], encoding: str) -> str:
    """A text after change events, each of a range of the text before it or of all of it."""
    lines = _lines(text)
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            _replace(lines, change, encoding)
        else:
            lines = _lines(change.text)
    return "".join(lines)


def _lines(text: str) -> list[str]:
    """The lines with their ends; the last one has none and may be empty."""
    if "\r" not in text:
        *ended, last = text.split("\n")
        return [*[f"{line}\n" for line in ended], last]
    starts = [*Document("", text, "text").line_starts, len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


def _replace(lines: list[str], change: types.TextDocumentContentChangePartial, encoding: str) -> None:
    """The lines beside those of the range are cut anew with them: CR and LF may come together."""
    ends = (_cell(lines, end, encoding) for end in (change.range.start, change.range.end))
    (first, before), (last, after) = sorted(ends)
    start, stop = max(first - 1, 0), min(last + 2, len(lines))
    head, tail = "".join(lines[start:first]), "".join(lines[last + 1 : stop])
    fresh = _lines(f"{head}{lines[first][:before]}{change.text}{lines[last][after:]}{tail}")
    lines[start:stop] = fresh if stop == len(lines) else fresh[:-1]


def _cell(lines: list[str], position: types.Position, encoding: str) -> tuple[int, int]:
    """The line of a position and the code points before it there, both brought into the text."""
    if position.line >= len(lines):
        return len(lines) - 1, len(lines[-1])
    line = lines[position.line].removesuffix("\n").removesuffix("\r")
    return position.line, points(line, position.character, encoding)
