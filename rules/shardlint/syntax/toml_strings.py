"""TOML's four kinds of string: where one ends and what it holds."""

from __future__ import annotations

import re
from typing import NamedTuple

from shardlint.syntax.expression import expression

_BASIC = expression(r'"(?:[^"\\\r\n]|\\[^\r\n])*"')
_LITERAL = expression(r"'[^'\r\n]*'")
_LONG_BASIC = expression(r'"""(?:[^\\"]|\\.|"{1,2}(?!"))*"{3,5}', re.DOTALL)
_LONG_LITERAL = expression(r"'''(?:[^']|'{1,2}(?!'))*'{3,5}")
_ESCAPE = expression(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([ \t]*\n[ \t\n]*)|(.))", re.DOTALL)
_SIMPLE = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
_REST_OF_LINE = expression(r"[^\r\n]*")


class Text(NamedTuple):
    """A string: where it ends, its style, its content; one that is not `closed` runs to the line end."""

    end: int
    style: str
    content: str
    closed: bool


def read_string(text: str, at: int) -> Text:
    """The string that starts with a quote at that offset. An unclosed one ends at the end of its line."""
    quote = text[at]
    if text.startswith(quote * 3, at):
        found = (_LONG_BASIC if quote == '"' else _LONG_LITERAL).match(text, at)
        if found is not None:
            inner = found.group()[3:-3].replace("\r\n", "\n")
            inner = inner[1:] if inner.startswith("\n") else inner
            return Text(found.end(), "triple", _decode(inner) if quote == '"' else inner, True)
    found = (_BASIC if quote == '"' else _LITERAL).match(text, at)
    style = "double" if quote == '"' else "single"
    if found is not None and not text.startswith(quote * 3, at):
        inner = found.group()[1:-1]
        return Text(found.end(), style, _decode(inner) if quote == '"' else inner, True)
    rest = _REST_OF_LINE.match(text, at)
    raw = (rest.group() if rest else quote).rstrip(" \t")
    return Text(at + len(raw), style, raw.lstrip(quote), False)


def _decode(inner: str) -> str:
    return _ESCAPE.sub(_unescaped, inner) if "\\" in inner else inner


def _unescaped(found: re.Match[str]) -> str:
    short, long, fold, simple = found.groups()
    if fold is not None:
        return ""
    if simple is not None:
        return _SIMPLE.get(simple, found.group())
    code = int(short or long, 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else found.group()
