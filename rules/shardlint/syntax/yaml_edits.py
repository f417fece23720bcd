"""The edits that may make faulty YAML lines readable, likely ones first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.syntax.expression import expression
from shardlint.syntax.yaml_template import hide

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.syntax.yaml_places import Line

_INDENT = expression(r"[ \t]*")
_COMMENT = expression(r"(?<=[ \t])#.*\Z")
_KEYED = expression(r"[ \t]*(?:-[ \t]+)*(?:\"[^\"]*\"[ \t]*|'[^']*'[ \t]*|[^\s#\"'][^#]*?):(?:[ \t]|\Z)")
_VALUE = expression(
    r"(?P<head>[ \t]*(?:-[ \t]+)*"
    r"(?:(?:\"[^\"]*\"[ \t]*|'[^']*'[ \t]*|[^\s#\"'\[{][^#]*?):[ \t]+|(?<=[ \t])))"
    r"(?P<value>[^\s#].*)\Z"
)
_DASH = expression(r"-[ \t]+")


class Edit(NamedTuple):
    """The line to put at a row."""

    row: int
    line: Line


def neighbour(lines: list[Line], row: int, step: int) -> int:
    """The next row in that direction which holds more than blanks and a comment; -1 where there is none."""
    row += step
    while 0 <= row < len(lines):
        content = lines[row].text.strip()
        if content and not content.startswith("#"):
            return row
        row += step
    return -1


def edits(lines: list[Line], rows: list[int]) -> Iterator[Edit]:
    """Every edit worth a try; where two read equally well the earlier one is kept."""
    flow = any(_opens(line.text) for line in lines)
    for row in rows:
        yield from _colon(row, lines[row])
    for row in rows:
        yield from _quote(row, lines[row])
    if flow:
        for row in rows:
            yield from _comma(row, lines[row])
        for row in sorted(rows, key=lambda row: (not _opens(lines[row].text), row)):
            yield from _bracket(row, lines[row])
    yield from sorted(
        (edit for row in rows for edit in _align(row, lines)), key=lambda edit: _moved(edit, lines)
    )
    for row in rows:
        yield from _opaque_value(row, lines[row])
    for row in rows:
        yield Edit(row, left_out(lines[row]))


def left_out(line: Line) -> Line:
    """The line as if it were blank."""
    return _edited(line, _line_end(line.text), "unreadable-line", 0)


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
    white = line.text[: indent_of(line.text)]
    rest = line.text[len(white) :]
    above, below = neighbour(lines, row, -1), neighbour(lines, row, 1)
    wanted = _margins_above(lines, above)
    if below >= 0:
        under = indent_of(lines[below].text)
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
    margins = [indent_of(lines[row].text)]
    while row > 0 and margins[-1] > 0:
        row -= 1
        text = lines[row].text
        if text.strip() and not text.lstrip().startswith("#") and indent_of(text) < margins[-1]:
            margins.append(indent_of(text))
    return margins


def _moved(edit: Edit, lines: list[Line]) -> int:
    """How far an edit moves its line: the smallest move is tried first.

    A parent stays left of the line below it. The width of a tab is not known: then a line with a key alone
    belongs left of the line below it, and any other line beside it.
    """
    old = lines[edit.row].text
    width = edit.line.new_indent
    below = neighbour(lines, edit.row, 1)
    under = indent_of(lines[below].text) if below >= 0 else width
    is_parent = _content(old).endswith(":") and indent_of(old) < under
    if "\t" not in old[: indent_of(old)]:
        return abs(width - indent_of(old)) + (100 if is_parent and width >= under else 0)
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


def indent_of(text: str) -> int:
    """How many blanks and tabs the line starts with."""
    found = _INDENT.match(text)
    return found.end() if found else 0
