"""Whether hjson reads a text, and where it gives up: its grammar without the values.

A re-statement of the grammar that the hjson package (3.1.0), which DeepSpeed reads its JSON with,
implements; iterative, linear in the text. Duplicate keys are DeepSpeed's own check and not looked at.
"""

from __future__ import annotations

import re

from shardlint.syntax.expression import expression

_SPACE = expression(r"[ \t\r\n]*")
_LINE_END = expression(r"[\r\n]|\Z")
_STRING = expression(
    r"""(?:"[^"\\\x00-\x1f]*(?:\\(?:["'\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")
      | (?:'[^'\\\x00-\x1f]*(?:\\(?:["'\\/bfnrt]|u[0-9a-fA-F]{4})[^'\\\x00-\x1f]*)*')""",
    re.VERBOSE,
)
_LITERAL = expression(
    r"(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null)"
    r"[ \t]*(?=[,}\]#\r\n]|//|/\*|\Z)"
)
_KEY = expression(r"([^\s{}\[\],:\"'][^\s{}\[\],:]*)[ \t\r\n]*(?=:)")
_PUNCTUATION = "{}[],:"


class _Stop(Exception):
    """hjson gives up at `at`."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


def hjson_stop(text: str) -> int | None:
    """The offset at which hjson gives up on a text, or None when it reads all of it."""
    try:
        _read(text)
    except _Stop as stop:
        return min(stop.at, len(text))
    return None


def _read(text: str) -> None:
    at = _next(text, 0)
    if at >= len(text):
        return
    if text[at] in "{[":
        end = _value(text, at)
    else:
        try:
            end = _members(text, at)
        except _Stop as stop:
            try:
                end = _value(text, at)
            except _Stop:
                raise stop from None
    end = _next(text, end)
    if end < len(text):
        raise _Stop(end)


def _next(text: str, at: int) -> int:
    """The next character that is neither blank nor comment."""
    while True:
        found = _SPACE.match(text, at)
        at = found.end() if found else at
        if text.startswith("#", at) or text.startswith("//", at):
            at = _line_end(text, at)
        elif text.startswith("/*", at):
            close = text.find("*/", at + 2)
            if close < 0:
                raise _Stop(at)
            at = close + 2
        else:
            return at


def _line_end(text: str, at: int) -> int:
    found = _LINE_END.search(text, at)
    return found.start() if found else len(text)


def _members(text: str, at: int) -> int:
    """An object without braces, to the end of the text."""
    while True:
        at = _separated(text, _value(text, _key(text, at)))
        if at >= len(text):
            return at


def _key(text: str, at: int) -> int:
    """A key and its colon; where its value starts."""
    if text.startswith(('"', "'"), at):
        at = _string(text, at)
    else:
        found = _KEY.match(text, at)
        if found is None:
            raise _Stop(at)
        at = found.end()
    at = _next(text, at)
    if not text.startswith(":", at):
        raise _Stop(at)
    return _next(text, at + 1)


def _value(text: str, at: int) -> int:
    """A value with everything in it; where it ends."""
    closers: list[str] = []
    while True:
        if text.startswith(("{", "["), at):
            closers.append("}" if text[at] == "{" else "]")
            at = _next(text, at + 1)
            if not text.startswith(closers[-1], at):
                at = _start(text, at, closers[-1])
                continue
            closers.pop()
            at += 1
        else:
            at = _scalar(text, at)
        while closers:
            at = _separated(text, at)
            if not text.startswith(closers[-1], at):
                break
            closers.pop()
            at += 1
        if not closers:
            return at
        at = _start(text, at, closers[-1])


def _start(text: str, at: int, closer: str) -> int:
    return _key(text, at) if closer == "}" else at


def _separated(text: str, at: int) -> int:
    """After a value: past one comma, if there is one."""
    at = _next(text, at)
    return _next(text, at + 1) if text.startswith(",", at) else at


def _scalar(text: str, at: int) -> int:
    if text.startswith("'''", at):
        return _triple(text, at)
    if text.startswith(('"', "'"), at):
        return _string(text, at)
    if at >= len(text) or text[at] in _PUNCTUATION:
        raise _Stop(at)
    literal = _LITERAL.match(text, at)
    if literal is None:
        return _line_end(text, at)
    if _overflows(literal.group(1)):
        raise _Stop(at)
    return literal.end()


def _overflows(raw: str) -> bool:
    """hjson asks whether a float is integral by `int()`, which raises for infinity."""
    return ("e" in raw or "E" in raw) and raw[0] not in "tfn" and abs(float(raw)) == float("inf")


def _string(text: str, at: int) -> int:
    found = _STRING.match(text, at)
    if found is None:
        raise _Stop(at)
    return found.end()


def _triple(text: str, at: int) -> int:
    close = text.find("'''", at + 3)
    if close < 0 or "\n" not in text:
        raise _Stop(at)
    return close + 3
