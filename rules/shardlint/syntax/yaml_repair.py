"""One faulty piece of YAML made readable by small edits: one line an edit, at its end or in its indentation.

A fault says where the parser noticed, not where the typist is: each round tries every edit on the few
lines that may be meant and keeps the one after which the next fault is farthest away.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from shardlint.syntax.tree import Mapping, Node, Sequence
from shardlint.syntax.yaml_places import Line, Places
from shardlint.syntax.yaml_template import hide
from shardlint.syntax.yaml_tree import Stop, Tree, read_c

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_ROUNDS = 8
MAX_LINE = 5_000
ATTEMPT_COST = 200  # setting a parser up costs about as much as reading so many characters

Kind: TypeAlias = "type[Mapping] | type[Sequence] | None"
Read: TypeAlias = "Callable[[str, dict[str, Node]], Tree]"

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_INDENT = re.compile(r"[ \t]*")
_COMMENT = re.compile(r"(?<=[ \t])#.*\Z")
_KEYED = re.compile(r"[ \t]*(?:-[ \t]+)*(?:\"[^\"]*\"[ \t]*|'[^']*'[ \t]*|[^\s#\"'][^#]*?):(?:[ \t]|\Z)")
_VALUE = re.compile(
    r"(?P<head>[ \t]*(?:-[ \t]+)*"
    r"(?:(?:\"[^\"]*\"[ \t]*|'[^']*'[ \t]*|[^\s#\"'\[{][^#]*?):[ \t]+|(?<=[ \t])))"
    r"(?P<value>[^\s#].*)\Z"
)
_DASH = re.compile(r"-[ \t]+")


class Budget:
    """How many more characters may be parsed to mend a text; counts, not seconds, so that results repeat."""

    __slots__ = ("c", "pure")

    def __init__(self, length: int) -> None:
        self.c = 500_000 + 2 * length
        self.pure = 40_000

    def spend(self, amount: int) -> bool:
        self.c -= amount
        return self.c >= 0

    def spend_pure(self, amount: int) -> bool:
        if amount > self.pure:
            return False
        self.pure -= amount
        return True


class Attempt(NamedTuple):
    """A piece as edited, what it reads as, and how far it reads: clean, or the row and column of the fault."""

    places: Places
    tree: Tree
    score: tuple[int, int, int]

    @property
    def clean(self) -> bool:
        return self.score[0] == 1


class Edit(NamedTuple):
    row: int
    line: Line


class Repaired(NamedTuple):
    """`noticed` tells for each repaired row where the parser had stopped (an offset in the text)."""

    attempt: Attempt
    noticed: dict[int, int]

    @property
    def lines(self) -> list[Line]:
        return self.attempt.places.lines

    @property
    def is_doubtful(self) -> bool:
        """Several edits, no first line left, or an indented line at the margin: it may be part of the piece before."""
        moved = any(line.repair == "bad-indent" and line.new_indent == 0 for line in self.lines)
        return moved or len(self.noticed) > 1 or self.lines[0].repair == "unreadable-line"


def split_lines(text: str, start: int, end: int) -> list[Line]:
    """The lines of a piece, as written."""
    lines: list[Line] = []
    while start < end:
        found = _LINE.match(text, start, end)
        if found is None or not found.group():
            break
        raw = found.group()
        indent = _indent(raw)
        lines.append(Line(start, indent, len(raw.rstrip("\r\n")), raw, indent))
        start = found.end()
    return lines


def attempt(lines: list[Line], kind: Kind, anchors: dict[str, Node], read: Read = read_c) -> Attempt:
    """Read the lines; clean when nothing stopped the parser and the root is of the kind wanted (None: any)."""
    places = Places(lines)
    tree = read(places.text, dict(anchors))
    return Attempt(places, tree, _score(tree, places, kind))


def repair(
    lines: list[Line], kind: Kind, anchors: dict[str, Node], budget: Budget, rounds: int = MAX_ROUNDS
) -> Repaired | None:
    """Edit until the piece reads; None when no edit helps or the budget is spent."""
    now = attempt(lines, kind, anchors)
    noticed: dict[int, int] = {}
    for _ in range(rounds):
        if now.clean:
            break
        best, edit = _best(now, kind, anchors, budget)
        if best is None or edit is None:
            return None
        stop = now.tree.stop
        noticed.setdefault(edit.row, now.places.original(stop.index if stop else 0))
        now = best
    return Repaired(now, noticed) if now.clean else None


def without_line(lines: list[Line], row: int, kind: Kind, anchors: dict[str, Node]) -> Repaired | None:
    """The piece without one line, where that alone makes it readable."""
    blank = _edited(lines[row], _line_end(lines[row].text), "unreadable-line", 0)
    tried = attempt([*lines[:row], blank, *lines[row + 1 :]], kind, anchors)
    return Repaired(tried, {row: lines[row].start}) if tried.clean else None


def _best(
    now: Attempt, kind: Kind, anchors: dict[str, Node], budget: Budget
) -> tuple[Attempt | None, Edit | None]:
    best: Attempt | None = None
    chosen: Edit | None = None
    size = len(now.places.text)
    for edit in _edits(now.places.lines, _suspects(now)):
        if not budget.spend(size + ATTEMPT_COST):
            return None, None
        lines = list(now.places.lines)
        lines[edit.row] = edit.line
        tried = attempt(lines, kind, anchors)
        if tried.score > (best.score if best else now.score):
            best, chosen = tried, edit
        if tried.clean:
            break
    return best, chosen


def _score(tree: Tree, places: Places, kind: Kind) -> tuple[int, int, int]:
    if tree.stop is not None:
        row = places.row(tree.stop.index)
        return (0, row, tree.stop.index - places.starts[row] if places.starts else 0)
    if _is_clean(tree, places, kind):
        return (1, 0, 0)
    return (0, 0, 0)


def _is_clean(tree: Tree, places: Places, kind: Kind) -> bool:
    if not tree.roots:
        return True
    root = tree.roots[0]
    if len(tree.roots) > 1:
        return False
    if kind is None:
        return True
    at_margin = places.row_start(root.span.start) == root.span.start
    return isinstance(root, kind) and at_margin and isinstance(root, Mapping | Sequence) and not root.flow


def _suspects(now: Attempt) -> list[int]:
    """The rows to edit, most likely first."""
    lines, places = now.places.lines, now.places
    stop = now.tree.stop or Stop(0, None, "")
    row = places.row(stop.index)
    rows = [row, _neighbour(lines, row, -1)]
    if stop.opener is not None:
        rows.append(places.row(stop.opener))
    rows.append(places.row(now.tree.last))
    rows.append(_neighbour(lines, rows[1], -1))
    rows.append(_neighbour(lines, row, 1))
    known = (at for at in dict.fromkeys(rows) if 0 <= at < len(lines))
    return [at for at in known if lines[at].length <= MAX_LINE and lines[at].text.strip()]


def _neighbour(lines: list[Line], row: int, step: int) -> int:
    """The next row in that direction which holds more than blanks and a comment; -1 where there is none."""
    row += step
    while 0 <= row < len(lines):
        content = lines[row].text.strip()
        if content and not content.startswith("#"):
            return row
        row += step
    return -1


def _edits(lines: list[Line], rows: list[int]) -> Iterator[Edit]:
    """Every edit worth a try; where two read equally well the earlier one is kept."""
    flow = any("[" in line.text or "{" in line.text for line in lines)
    for row in rows:
        yield from _colon(row, lines[row])
    for row in rows:
        yield from _quote(row, lines[row])
    if flow:
        for row in rows:
            yield from _comma(row, lines[row])
        for row in sorted(rows, key=lambda row: (not _opens(lines[row].text), row)):
            yield from _bracket(row, lines[row])
    yield from sorted((edit for row in rows for edit in _align(row, lines)), key=lambda edit: _moved(edit, lines))
    for row in rows:
        yield from _opaque_value(row, lines[row])
    for row in rows:
        yield Edit(row, _edited(lines[row], _line_end(lines[row].text), "unreadable-line", 0))


def _colon(row: int, line: Line) -> Iterator[Edit]:
    content = _content(line.text)
    stripped = content.strip()
    if stripped and stripped[0] not in "#]},[{|>" and not _KEYED.match(content):
        yield Edit(row, _edited(line, content + ":" + _line_end(line.text), "missing-colon"))


def _quote(row: int, line: Line) -> Iterator[Edit]:
    bare = line.text.rstrip("\r\n")
    for quote in ('"', "'"):
        if bare.count(quote) % 2 == 0:
            continue
        cut = len(bare.rstrip(" \t]},"))
        for text in dict.fromkeys((bare[:cut] + quote + bare[cut:], bare + quote)):
            yield Edit(row, _edited(line, text + _line_end(line.text), "unclosed-string"))


def _comma(row: int, line: Line) -> Iterator[Edit]:
    content = _content(line.text)
    if content.strip() and content[-1] not in ",[{:":
        yield Edit(row, _edited(line, content + "," + _line_end(line.text), "missing-comma-or-bracket"))


def _bracket(row: int, line: Line) -> Iterator[Edit]:
    content = _content(line.text)
    for closer in ("]", "}", "]}", "}]"):
        yield Edit(row, _edited(line, content + closer + _line_end(line.text), "unclosed-bracket"))


def _opens(text: str) -> bool:
    """Whether the line opens more brackets than it closes."""
    return sum(text.count(mark) for mark in "[{") > sum(text.count(mark) for mark in "]}")


def _align(row: int, lines: list[Line]) -> Iterator[Edit]:
    """Indentations the lines around suggest: those of the parents above, and of the line below."""
    line = lines[row]
    white = line.text[: _indent(line.text)]
    rest = line.text[len(white) :]
    above, below = _neighbour(lines, row, -1), _neighbour(lines, row, 1)
    wanted = _margins_above(lines, above)
    if below >= 0:
        under = _indent(lines[below].text)
        dash = _DASH.match(rest)
        wanted += [under, under - 2, under - (dash.end() if dash else 2)]
    code = "tab-indent" if "\t" in white else "bad-indent"
    for width in dict.fromkeys(wanted):
        if width >= 0 and " " * width != white:
            yield Edit(row, _edited(line, " " * width + rest, code, width))


def _margins_above(lines: list[Line], row: int) -> list[int]:
    """The indentations open at that row, deepest first; one step deeper where its line awaits children."""
    if row < 0:
        return []
    margins = [_indent(lines[row].text)]
    while row > 0 and margins[-1] > 0:
        row -= 1
        text = lines[row].text
        if text.strip() and not text.lstrip().startswith("#") and _indent(text) < margins[-1]:
            margins.append(_indent(text))
    return margins


def _moved(edit: Edit, lines: list[Line]) -> int:
    """How far an edit moves its line: the smallest move is tried first.

    A parent stays left of the line below it. The width of a tab is not known: then a line with a key alone
    belongs left of the line below it, and any other line beside it.
    """
    old = lines[edit.row].text
    width = edit.line.new_indent
    below = _neighbour(lines, edit.row, 1)
    under = _indent(lines[below].text) if below >= 0 else width
    is_parent = _content(old).endswith(":") and _indent(old) < under
    if "\t" not in old[: _indent(old)]:
        return abs(width - _indent(old)) + (100 if is_parent and width >= under else 0)
    if not _content(old).endswith(":"):
        return abs(width - under)
    return under - width if width < under else 100 + width


def _opaque_value(row: int, line: Line) -> Iterator[Edit]:
    content = _content(line.text)
    found = _VALUE.match(content)
    if found is not None:
        text = found.group("head") + hide(found.group("value")) + _line_end(line.text)
        yield Edit(row, _edited(line, text, "unreadable-value"))


def _edited(line: Line, text: str, code: str, new_indent: int | None = None) -> Line:
    indent = line.new_indent if new_indent is None else new_indent
    return line._replace(text=text, repair=line.repair or code, new_indent=indent)


def _content(text: str) -> str:
    """The line without its end, a trailing comment and trailing blanks."""
    return _COMMENT.sub("", text.rstrip("\r\n")).rstrip(" \t")


def _line_end(text: str) -> str:
    return text[len(text.rstrip("\r\n")) :]


def _indent(text: str) -> int:
    found = _INDENT.match(text)
    return found.end() if found else 0
