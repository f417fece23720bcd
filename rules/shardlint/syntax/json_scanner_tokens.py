"""The lexical side of JSON and hjson: patterns, comments, strings with their escapes."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

from shardlint.syntax.expression import expression

Pattern: TypeAlias = "re.Pattern[str]"

_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
_STOP = r"(?=[ \t]*(?:[,}\]\r\n#]|//|/\*|\Z))"
_QUOTED = r"""(?:"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"|'[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*')"""

SPACE = re.compile(r"[ \t\r\n]*")
BLANKS = expression(r"[ \t]{0,1000}")
LINE_END = expression(r"[\r\n]|\Z")
NUMBER = expression(_NUMBER)

_SHORT_NUMBER = r"-?(?:0|[1-9][0-9]{0,40})(?:\.[0-9]{1,40})?(?:[eE][-+]?[0-9]{1,2})?"

PAIR = re.compile(
    r'[ \t\r\n]*"([^"\\\x00-\x1f]*)"[ \t]*:[ \t]*'
    rf'(?:(?:"([^"\\\x00-\x1f]*)"|({_SHORT_NUMBER}|true|false|null))(?=[ \t]*[,}}\r\n])'
    r'(?:[ \t\r\n]*(,)(?=[ \t\r\n]*"))?|(\{(?![{%])|\[))'
)
"""A pair in plain JSON: 1 key, 2 string, 3 other scalar, 4 comma before another key, 5 opening bracket."""

ITEM = expression(
    rf'[ \t\r\n]*(?:(?:"([^"\\\x00-\x1f]*)"|({_SHORT_NUMBER}|true|false|null))(?=[ \t]*[,\]\r\n])'
    r'(?:[ \t\r\n]*(,)(?=[ \t\r\n]*["{\[\-0-9tfn]))?|(\{(?![{%])|\[))'
)
"""A list item in plain JSON: 1 string, 2 other scalar, 3 comma before another item, 4 opening bracket."""

CLOSE = re.compile(r'[ \t\r\n]*([}\]])(?:[ \t\r\n]*(,)(?=[ \t\r\n]*["{\[\-0-9tfn]))?')
"""A closing bracket, and the comma when something follows."""

LITERAL = expression(rf"({_NUMBER}|true|false|null){_STOP}")
"""A number or word that both readers take as such at this place."""

KEY_AHEAD = expression(
    rf"""(?:{_QUOTED}|[^\s{{}}\[\],:"'#/0-9][^\s{{}}\[\],:]*)[ \t]*:(?!//)|"[\w.\-]+[ \t]*:"""
)
"""A key and its colon; the last form lacks its closing quote."""

QUOTED_KEY_AHEAD = expression(rf"{_QUOTED}[ \t]*:")
KEY_WORD = expression(r"[^\s{}\[\],:]+")
BROKEN_KEY = expression(r"""["']([^"':,{}\[\]\r\n]*?)[ \t]*:""")

MEMBER_WORD_END = expression(
    r"""[ \t]+(?=\#|//|/\*|"[^"\r\n]{0,80}"[ \t]*:|[\r\n]|\Z)
    | ,(?=[ \t]*(?:[,\r\n"'\#}\]]|//|/\*|\Z|[\w.\-]{1,80}[ \t]*:))
    | [}\]\r\n]
    | \Z""",
    re.VERBOSE,
)
"""Where an unquoted value of an object was meant to end."""

ITEM_WORD_END = expression(r"[\s,}\]]|\Z")

NAN_WORDS = frozenset(("NaN", "Infinity", "-Infinity"))
PYTHON_WORDS = frozenset(("True", "False", "None"))
ODD_NUMBER = expression(
    r"[-+]?(?:0[xX][0-9a-fA-F]+|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]*)?)\Z"
)

_CLOSED = {
    '"': expression(r'"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"'),
    "'": expression(r"'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*'"),
}
_AFTER_VALUE = expression(r"[ \t]*(?:[,}\]\r\n#]|//|/\*|\Z)")
_AFTER_KEY = expression(r"[ \t]*(?:[:\r\n]|\Z)")
_RESUME_MEMBER = expression(r'[,}\]][}\],\s]{0,40}"[^"\\\r\n]{0,80}"[ \t]*:')
_RESUME_ITEM = expression(r'[,}\]][}\],\s]{0,40}"[^"\\\r\n]{0,80}"[ \t]*[,:\]]')
_RESUME_REACH = 140
"""Characters beyond the end of a string in which the key that betrays its missing quote must end."""

_CONTROL = expression("[\x00-\x1f]")

_ESCAPE = expression(r"((?:\\u[0-9a-fA-F]{4})+)|\\(.)")
_SIMPLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_BAD_ESCAPE = expression(r"\\(?:u(?![0-9a-fA-F]{4})|[^\"'\\/bfnrtu])")


class StringToken(NamedTuple):
    """A quoted text. `end` is after it; `closed` is false when its closing quote had to be guessed."""

    end: int
    text: str
    closed: bool


def unescape(body: str) -> str:
    """The content of a quoted text. Unknown escapes stand for their character, lone surrogates for U+FFFD."""
    return _ESCAPE.sub(_unescaped, body) if "\\" in body else body


def _unescaped(found: re.Match[str]) -> str:
    units, char = found.groups()
    if units:
        return bytes.fromhex(units.replace("\\u", "")).decode("utf-16-be", "replace")
    return _SIMPLE.get(char, char)


def bad_escape(raw: str) -> str | None:
    """The first escape in a quoted text that no reader knows, or None."""
    found = _BAD_ESCAPE.search(raw.replace("\\\\", "\0\0")) if "\\" in raw else None
    return raw[found.start() : found.start() + 2] if found else None


def has_quote_escape(raw: str) -> bool:
    """Whether `\\'` is in a quoted text: hjson knows that escape, JSON does not."""
    return "\\'" in raw.replace("\\\\", "")


def has_control(raw: str) -> bool:
    return _CONTROL.search(raw) is not None


def key_string(text: str, at: int) -> StringToken:
    """The quoted key that starts at `at`.

    Without its closing quote it ends before the colon, else at the line end.
    """
    found = _CLOSED[text[at]].match(text, at)
    if found and _AFTER_KEY.match(text, found.end()):
        return StringToken(found.end(), unescape(text[at + 1 : found.end() - 1]), True)
    broken = BROKEN_KEY.match(text, at)
    if broken:
        return StringToken(broken.end(1), broken.group(1), False)
    if found:
        return StringToken(found.end(), unescape(text[at + 1 : found.end() - 1]), True)
    return _to_line_end(text, at)


def value_string(text: str, at: int, in_list: bool, opened_here: bool) -> StringToken:
    """The quoted value that starts at `at`.

    Without its closing quote it ends where the next key or item starts, else at the line end.
    `opened_here`: the bracket around it stands on the same line, so closers at the line end are not text.
    """
    found = _CLOSED[text[at]].match(text, at)
    if found and _AFTER_VALUE.match(text, found.end()):
        return StringToken(found.end(), unescape(text[at + 1 : found.end() - 1]), True)
    within = found.end() if found else _line_end(text, at)
    resume = (_RESUME_ITEM if in_list else _RESUME_MEMBER).search(text, at + 1, within + _RESUME_REACH)
    if resume and resume.start() < within:
        return StringToken(resume.start(), unescape(text[at + 1 : resume.start()]), False)
    if found:
        return StringToken(found.end(), unescape(text[at + 1 : found.end() - 1]), True)
    return _to_line_end(text, at, " \t}]" if opened_here else " \t")


def _line_end(text: str, at: int) -> int:
    found = LINE_END.search(text, at)
    return found.start() if found else len(text)


def _to_line_end(text: str, at: int, trailing: str = " \t") -> StringToken:
    """What stands between the quote at `at` and the line end, less a comma and `trailing` characters."""
    body = text[at + 1 : _line_end(text, at)].rstrip(" \t").removesuffix(",").rstrip(trailing)
    return StringToken(at + 1 + len(body), unescape(body), False)


def triple_string(text: str, at: int) -> StringToken:
    """hjson's `'''` text that starts at `at`: its lines lose the indentation of the opening quotes."""
    close = text.find("'''", at + 3)
    if close < 0:
        return _to_line_end(text, at + 2)
    line_start = text.rfind("\n", 0, at) + 1
    indent = at - line_start
    body = text[at + 3 : close].replace("\r", "")
    first, newline, rest = body.partition("\n")
    if newline and not first.strip(" \t"):
        body = _dedented(rest, indent)
    elif newline:
        body = f"{first.lstrip(' ' + chr(9))}\n{_dedented(rest, indent)}"
    else:
        body = first.lstrip(" \t")
    return StringToken(close + 3, body.removesuffix("\n"), True)


def _dedented(lines: str, indent: int) -> str:
    return "\n".join(_without_indent(line, indent) for line in lines.split("\n"))


def _without_indent(line: str, indent: int) -> str:
    blanks = len(line) - len(line.lstrip(" \t"))
    return line[min(indent, blanks) :]
