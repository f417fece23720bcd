"""One source line with a caret under a stretch of it, cut to the width of the screen."""

from __future__ import annotations

from typing import NamedTuple

from shardlint_cli.terminal import ELLIPSIS, TAB, Screen, cells, columns


class Excerpt(NamedTuple):
    """A line as shown, and the line below it with carets under the stretch."""

    text: str
    underline: str


class _Cell(NamedTuple):
    """One source character as shown, with the columns it takes."""

    text: str
    width: int


def excerpt(line: str, start: int, end: int, screen: Screen, width: int) -> Excerpt:
    """The excerpt of a line for the half-open stretch `start` to `end`, offsets in code points from 0.

    An empty or outlying stretch gets one caret. At most `width` columns of the line are shown.
    """
    reach = 4 * width
    start = min(max(start, 0), len(line))
    low, high = max(start - reach, 0), min(start + reach, len(line))
    shown = _cells(line[low:high], screen)
    start, end = start - low, min(max(end, start), high) - low
    first, last = _window(shown, start, end, width)
    before = ELLIPSIS if low + first > 0 else ""
    after = ELLIPSIS if low + last < len(line) else ""
    caret = len(before) + _total(shown[first:start])
    length = _total(shown[start : min(end, last)])
    text = before + "".join(cell.text for cell in shown[first:last]) + after
    return Excerpt(text, " " * caret + "^" * max(length, 1))


def _cells(line: str, screen: Screen) -> list[_Cell]:
    if line.isascii() and line.isprintable():
        return [_Cell(char, 1) for char in line]
    shown: list[_Cell] = []
    at = 0
    for char in line:
        if char == "\t":
            text = " " * (TAB - at % TAB)
        else:
            text = screen.shown(char)
        width = cells(text) if len(text) == 1 else columns(text)
        shown.append(_Cell(text, width))
        at += width
    return shown


def _window(shown: list[_Cell], start: int, end: int, width: int) -> tuple[int, int]:
    """The stretch of characters to show: all of them, or as many as fit around the caret."""
    if _total(shown) <= width:
        return 0, len(shown)
    room = max(width - 2 * len(ELLIPSIS), 1)
    lead = max((room - _total(shown[start:end])) // 2, room // 4)
    first = start
    while first > 0 and _total(shown[first - 1 : start]) <= lead:
        first -= 1
    last = first
    used = 0
    while last < len(shown) and used + shown[last].width <= room:
        used += shown[last].width
        last += 1
    while first > 0 and last == len(shown) and used + shown[first - 1].width <= room:
        first -= 1
        used += shown[first].width
    return first, last


def _total(shown: list[_Cell]) -> int:
    return sum(cell.width for cell in shown)
