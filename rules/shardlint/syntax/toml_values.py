"""TOML keys and values: scalars, arrays, inline tables, with an explicit stack of what is open."""

from __future__ import annotations

import re
from typing import TypeAlias

from shardlint.syntax.expression import expression
from shardlint.syntax.template import is_bare_placeholder, placeholder_end
from shardlint.syntax.toml_cursor import Cursor, short
from shardlint.syntax.toml_strings import read_string
from shardlint.syntax.toml_tables import Key, Tables
from shardlint.syntax.tree import Mapping, Node, Scalar, Sequence, Span

MAX_DEPTH = 200
MAX_KEY_PARTS = 100

BARE_VALUE = expression(r"[^\r\n#]+")
_BARE_ITEM = expression(r"[^\r\n#,\]}]+")
_BARE_KEY = expression(r"[^\s.=\[\]{}\"'#,]+")
_SPACE = expression(r"[ \t]*")
_NAME = r"(?:[\w-]+|\"[^\"\r\n]*\"|'[^'\r\n]*')"
_NEXT_ENTRY = expression(
    rf"[ \t]*{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*[ \t]*="
    r"|[ \t]*\[{1,2}[ \t]*(?!(?:true|false|inf|nan)\b)[A-Za-z_][\w.\-\"' ]*\]{1,2}"
    r"[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)"
)
_GOOD_BARE = expression(
    r"true|false|[+-]?(?:inf|nan)|0(?:x[0-9A-Fa-f_]+|b[01_]+|o[0-7_]+)"
    r"|[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?"
    r"|\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?"
)

_Stack: TypeAlias = "list[tuple[Sequence | Mapping, Key]]"


class TooDeep(Exception):
    """More nesting or more parts of a dotted key than is read; `at` is where."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(message)
        self.at = at


class Values(Cursor):
    """Reads keys and values at the cursor. `placeholders` are unquoted ones: unknown, not wrong."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.tables = Tables()
        self.placeholders: list[Span] = []
        self._sign: int = 0  # where the last `=` stands

    def key(self) -> Key:
        """The parts of a dotted key, none where there is no key; a dot at the end is a fault."""
        parts: Key = []
        while True:
            self.spaces()
            at = self.at
            if at < self.size and self.text[at] in "\"'":
                string = read_string(self.text, at)
                self.at = string.end
                parts.append(
                    Scalar(Span(at, string.end), self.text[at : string.end], string.content, string.style)
                )
                if not string.closed:
                    self._unclosed_string(at, string.end)
            elif (found := _BARE_KEY.match(self.text, at)) is not None:
                self.at = found.end()
                parts.append(Scalar(Span(at, self.at), found.group(), found.group()))
            else:
                if parts:
                    self.fault("missing-key", at, at, "a dotted key ends with a dot")
                return parts
            if len(parts) > MAX_KEY_PARTS:
                raise TooDeep(at, f"a dotted key of more than {MAX_KEY_PARTS} parts")
            dot = _SPACE.match(self.text, self.at)
            after = dot.end() if dot else self.at
            if not self.text.startswith(".", after):
                return parts
            self.at = after + 1

    def value(self, bare: re.Pattern[str]) -> Node:
        """A scalar, or a whole array or inline table."""
        at = self.at
        if at >= self.size or self.text[at] in "\r\n#":
            return self._no_value()
        end = placeholder_end(self.text, at)
        if end > at:
            return self._placeholder(at, end)
        if self.text[at] in "[{":
            return self._collection()
        return self._scalar(bare)

    def _scalar(self, bare: re.Pattern[str]) -> Scalar:
        at = self.at
        if self.text[at] in "\"'":
            string = read_string(self.text, at)
            self.at = string.end
            if not string.closed:
                self._unclosed_string(at, string.end)
            raw = self.text[at : string.end]
            return Scalar(Span(at, string.end), raw, string.content, string.style, guessed=not string.closed)
        found = bare.match(self.text, at)
        raw = found.group().rstrip(" \t") if found else self.text[at]
        self.at = at + len(raw)
        if is_bare_placeholder(raw):
            return self._placeholder(at, self.at)
        bad = _GOOD_BARE.fullmatch(raw) is None
        if bad:
            message = f"`{short(raw)}` is no TOML value: text needs quotes"
            self.fault("unreadable-value", at, self.at, message)
        return Scalar(Span(at, self.at), raw, raw, guessed=bad)

    def _collection(self) -> Node:
        """An array or inline table with an explicit stack of what is open."""
        stack: _Stack = []
        root = self._open(stack, [])
        try:
            self._fill(stack)
        except TooDeep:
            while stack:
                self._end(stack, self.at)
            raise
        return root

    def _fill(self, stack: _Stack) -> None:
        while stack:
            node, _ = stack[-1]
            if not self._skip_inside(node):
                self._unclosed(stack)
                break
            char = self.text[self.at]
            if char in "]}":
                self._close(stack)
            elif char == ",":
                self.at += 1
            elif isinstance(node, Mapping):
                key = self.key()
                self.spaces()
                if not key or not self.text.startswith("=", self.at):
                    self._bad_inline(key)
                    continue
                self.equals()
                self._item(stack, key)
            else:
                self._item(stack, [])

    def _item(self, stack: _Stack, key: Key) -> None:
        if (
            self.at < self.size
            and self.text[self.at] in "[{"
            and placeholder_end(self.text, self.at) == self.at
        ):
            self._open(stack, key)
            return
        at_end = self.at >= self.size or self.text[self.at] in "\r\n#,]}"
        value = self._no_value() if at_end else self.value(_BARE_ITEM)
        self._store(stack[-1][0], key, value)

    def _open(self, stack: _Stack, key: Key) -> Sequence | Mapping:
        at = self.at
        if len(stack) >= MAX_DEPTH:
            raise TooDeep(at, f"more than {MAX_DEPTH} levels of nesting")
        is_array = self.text[at] == "["
        node = Sequence(Span(at, at + 1), []) if is_array else self.tables.inline(at, at + 1)
        if stack:
            self._store(stack[-1][0], key, node)
        stack.append((node, key))
        self.at = at + 1
        return node

    def _store(self, parent: Sequence | Mapping, key: Key, value: Node) -> None:
        if isinstance(parent, Sequence):
            parent.items.append(value)
        else:
            self.tables.put(parent, key, value)

    def _close(self, stack: _Stack) -> None:
        node, _ = stack[-1]
        fits = (self.text[self.at] == "]") == isinstance(node, Sequence)
        if not fits and len(stack) > 1 and isinstance(stack[-2][0], Sequence) != isinstance(node, Sequence):
            self.fault("unclosed-bracket", node.span.start, node.span.start + 1, "this bracket is not closed")
            self._end(stack, self.at)
        elif not fits:
            self.fault("unexpected-closer", self.at, self.at + 1, "this bracket closes nothing")
            self.at += 1
            return
        self.at += 1
        self._end(stack, self.at)

    def _end(self, stack: _Stack, end: int) -> None:
        node, _ = stack.pop()
        node.span = Span(node.span.start, end)

    def _unclosed(self, stack: _Stack) -> None:
        start = stack[0][0].span.start
        end = self._content_end(start)
        self.fault("unclosed-bracket", start, start + 1, "this bracket is not closed")
        while stack:
            node, _ = stack[-1]
            node.guessed = True
            self._end(stack, max(end, node.span.end))

    def _skip_inside(self, node: Sequence | Mapping) -> bool:
        """Skip to the next thing inside brackets; False where they end without a closer."""
        while True:
            self.spaces()
            if self.at >= self.size:
                return False
            char = self.text[self.at]
            if char == "#":
                self.comment()
            elif char not in "\r\n":
                return True
            elif isinstance(node, Mapping):
                return False
            else:
                after = self.at + (2 if self.text.startswith("\r\n", self.at) else 1)
                if _NEXT_ENTRY.match(self.text, after):
                    return False
                self.at = after

    def equals(self) -> None:
        self._sign = self.at
        self.at += 1
        self.spaces()

    def _bad_inline(self, key: Key) -> None:
        start = key[0].span.start if key else self.at
        found = _BARE_ITEM.match(self.text, self.at)
        self.at = found.end() if found else max(self.at, start + 1)
        self.fault("missing-equals", start, self.at, f"`{short(self.text[start : self.at])}` has no `=`")

    def _no_value(self) -> Scalar:
        self.fault("missing-value", self._sign, self._sign + 1, "there is no value after the `=`")
        return self.missing(self._sign + 1)

    def _placeholder(self, at: int, end: int) -> Scalar:
        self.at = end
        span = Span(at, end)
        self.placeholders.append(span)
        return Scalar(span, self.text[at:end], self.text[at:end])

    def _unclosed_string(self, start: int, end: int) -> None:
        message = f"the string `{short(self.text[start:end])}` is not closed"
        self.fault("unclosed-string", start, end, message)

    def missing(self, at: int) -> Scalar:
        return Scalar(Span(at, at), "", "", "missing", guessed=True)

    def _content_end(self, start: int) -> int:
        return start + len(self.text[start : self.at].rstrip(" \t\r\n"))
