"""TOML text to a positioned tree, line by line, whatever is wrong with it. Validity is tomllib's to judge."""

from __future__ import annotations

import re
from typing import TypeAlias

from shardlint.syntax.document import Fault, Mark
from shardlint.syntax.template import is_bare_placeholder, placeholder_end
from shardlint.syntax.toml_strings import read_string
from shardlint.syntax.toml_tables import Key, Tables
from shardlint.syntax.tree import Mapping, Node, Scalar, Sequence, Span

MAX_DEPTH = 200
MAX_KEY_PARTS = 100

_BLANK = re.compile(r"[ \t\r\n\ufeff]*")
_SPACE = re.compile(r"[ \t]*")
_COMMENT = re.compile(r"#[^\r\n]*")
_LINE = re.compile(r"[^\r\n]*")
_BARE_KEY = re.compile(r"[^\s.=\[\]{}\"'#,]+")
_BARE_VALUE = re.compile(r"[^\r\n#]+")
_BARE_ITEM = re.compile(r"[^\r\n#,\]}]+")
_NEXT_ENTRY = re.compile(
    r"[ \t]*(?:[\w-]+|\"[^\"\r\n]*\"|'[^'\r\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|\"[^\"\r\n]*\"|'[^'\r\n]*'))*[ \t]*="
    r"|[ \t]*\[{1,2}[ \t]*(?!(?:true|false|inf|nan)\b)[A-Za-z_][\w.\-\"' ]*\]{1,2}[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)"
)
_GOOD_BARE = re.compile(
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


class TomlScanner:
    """Reads the whole text on `run`. `placeholders` are unquoted ones: their value is unknown, not wrong."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tables = Tables()
        self.faults: list[Fault] = []
        self.comments: list[Span] = []
        self.placeholders: list[Span] = []
        self._at = 0
        self._sign = 0  # where the last `=` stands
        self._size = len(text)

    def run(self) -> None:
        """Raises TooDeep; what was read until then is kept."""
        table = self.tables.root
        try:
            while (at := self._skip_blank(self._at)) < self._size:
                self._at = at
                if self.text[at] == "[":
                    table = self._header(table)
                else:
                    table = self._entry(table)
                self._end_of_line()
        finally:
            self.tables.finish()

    def _header(self, table: Mapping) -> Mapping:
        start = self._at
        double = self.text.startswith("[[", start)
        self._at += 2 if double else 1
        key = self._key()
        self._spaces()
        closer = "]]" if double else "]"
        closed = self.text.startswith(closer, self._at)
        end = self._at + len(closer) if closed else self._line_end(self._at)
        shown = self.text[start:end]
        self._at = end
        if not key:
            self._fault("missing-key", start, end, f"the header `{_short(shown)}` names no table")
            return table
        if not closed:
            self._fault("unclosed-bracket", start, end, f"the header `{_short(shown)}` has no closing `{closer}`")
            key[-1].guessed = True
        open_table = self.tables.array_table if double else self.tables.table
        return open_table(key, end)

    def _entry(self, table: Mapping) -> Mapping:
        """`key = value`, put into the table; the table the next line belongs to."""
        start = self._at
        key = self._key()
        if not key:
            self._at = self._line_end(start)
            self._fault("unreadable-line", start, self._at, f"`{_short(self.text[start : self._at])}` is no key")
            return table
        self._spaces()
        if self.text.startswith("]", self._at):
            return self._headless(start, key)
        if not self.text.startswith("=", self._at):
            end = max(self._line_end(self._at), key[-1].span.end)
            self._fault("missing-equals", start, end, f"`{_short(self.text[start:end])}` has no `=` after the key")
            key[-1].guessed = True
            self._at = end
            value: Node = self._missing(key[-1].span.end)
        else:
            self._equals()
            value = self._value(_BARE_VALUE)
        self.tables.put(table, key, value)
        return table

    def _headless(self, start: int, key: Key) -> Mapping:
        """A header whose opening bracket is gone, `parallelism]`."""
        double = self.text.startswith("]]", self._at)
        self._at += 2 if double else 1
        shown = _short(self.text[start : self._at])
        self._fault("missing-bracket", start, self._at, f"the header `{shown}` has no opening `[`")
        key[-1].guessed = True
        open_table = self.tables.array_table if double else self.tables.table
        return open_table(key, self._at)

    def _key(self) -> Key:
        """The parts of a dotted key; empty when there is none. A trailing dot is a fault, the parts are kept."""
        parts: Key = []
        while True:
            self._spaces()
            at = self._at
            if at < self._size and self.text[at] in "\"'":
                string = read_string(self.text, at)
                self._at = string.end
                parts.append(Scalar(Span(at, string.end), self.text[at : string.end], string.content, string.style))
                if not string.closed:
                    self._unclosed_string(at, string.end)
            elif (found := _BARE_KEY.match(self.text, at)) is not None:
                self._at = found.end()
                parts.append(Scalar(Span(at, self._at), found.group(), found.group()))
            else:
                if parts:
                    self._fault("missing-key", at, at, "a dotted key ends with a dot")
                return parts
            if len(parts) > MAX_KEY_PARTS:
                raise TooDeep(at, f"a dotted key of more than {MAX_KEY_PARTS} parts")
            dot = _SPACE.match(self.text, self._at)
            after = dot.end() if dot else self._at
            if not self.text.startswith(".", after):
                return parts
            self._at = after + 1

    def _value(self, bare: re.Pattern[str]) -> Node:
        """A scalar, or a whole array or inline table."""
        at = self._at
        if at >= self._size or self.text[at] in "\r\n#":
            return self._no_value()
        end = placeholder_end(self.text, at)
        if end > at:
            return self._placeholder(at, end)
        if self.text[at] in "[{":
            return self._collection()
        return self._scalar(bare)

    def _scalar(self, bare: re.Pattern[str]) -> Scalar:
        at = self._at
        if self.text[at] in "\"'":
            string = read_string(self.text, at)
            self._at = string.end
            if not string.closed:
                self._unclosed_string(at, string.end)
            raw = self.text[at : string.end]
            return Scalar(Span(at, string.end), raw, string.content, string.style, guessed=not string.closed)
        found = bare.match(self.text, at)
        raw = found.group().rstrip(" \t") if found else self.text[at]
        self._at = at + len(raw)
        if is_bare_placeholder(raw):
            return self._placeholder(at, self._at)
        bad = _GOOD_BARE.fullmatch(raw) is None
        if bad:
            message = f"`{_short(raw)}` is no TOML value: text needs quotes"
            self._fault("unreadable-value", at, self._at, message)
        return Scalar(Span(at, self._at), raw, raw, guessed=bad)

    def _collection(self) -> Node:
        """An array or inline table with an explicit stack of what is open."""
        stack: _Stack = []
        root = self._open(stack, [])
        try:
            self._fill(stack)
        except TooDeep:
            while stack:
                self._end(stack, self._at)
            raise
        return root

    def _fill(self, stack: _Stack) -> None:
        while stack:
            node, _ = stack[-1]
            if not self._skip_inside(node):
                self._unclosed(stack)
                break
            char = self.text[self._at]
            if char in "]}":
                self._close(stack)
            elif char == ",":
                self._at += 1
            elif isinstance(node, Mapping):
                key = self._key()
                self._spaces()
                if not key or not self.text.startswith("=", self._at):
                    self._bad_inline(key)
                    continue
                self._equals()
                self._item(stack, key)
            else:
                self._item(stack, [])

    def _item(self, stack: _Stack, key: Key) -> None:
        if self._at < self._size and self.text[self._at] in "[{" and placeholder_end(self.text, self._at) == self._at:
            self._open(stack, key)
            return
        at_end = self._at >= self._size or self.text[self._at] in "\r\n#,]}"
        value = self._no_value() if at_end else self._value(_BARE_ITEM)
        self._store(stack[-1][0], key, value)

    def _open(self, stack: _Stack, key: Key) -> Sequence | Mapping:
        at = self._at
        if len(stack) >= MAX_DEPTH:
            raise TooDeep(at, f"more than {MAX_DEPTH} levels of nesting")
        is_array = self.text[at] == "["
        node = Sequence(Span(at, at + 1), []) if is_array else self.tables.inline(at, at + 1)
        if stack:
            self._store(stack[-1][0], key, node)
        stack.append((node, key))
        self._at = at + 1
        return node

    def _store(self, parent: Sequence | Mapping, key: Key, value: Node) -> None:
        if isinstance(parent, Sequence):
            parent.items.append(value)
        else:
            self.tables.put(parent, key, value)

    def _close(self, stack: _Stack) -> None:
        node, _ = stack[-1]
        fits = (self.text[self._at] == "]") == isinstance(node, Sequence)
        if not fits and len(stack) > 1 and isinstance(stack[-2][0], Sequence) != isinstance(node, Sequence):
            self._fault("unclosed-bracket", node.span.start, node.span.start + 1, "this bracket is not closed")
            self._end(stack, self._at)
        elif not fits:
            self._fault("unexpected-closer", self._at, self._at + 1, "this bracket closes nothing")
            self._at += 1
            return
        self._at += 1
        self._end(stack, self._at)

    def _end(self, stack: _Stack, end: int) -> None:
        node, _ = stack.pop()
        node.span = Span(node.span.start, end)

    def _unclosed(self, stack: _Stack) -> None:
        start = stack[0][0].span.start
        end = self._content_end(start)
        self._fault("unclosed-bracket", start, start + 1, "this bracket is not closed")
        while stack:
            node, _ = stack[-1]
            node.guessed = True
            self._end(stack, max(end, node.span.end))

    def _skip_inside(self, node: Sequence | Mapping) -> bool:
        """Skip to the next thing inside brackets; False where they end without a closer."""
        while True:
            self._spaces()
            if self._at >= self._size:
                return False
            char = self.text[self._at]
            if char == "#":
                self._comment()
            elif char not in "\r\n":
                return True
            elif isinstance(node, Mapping):
                return False
            else:
                after = self._at + (2 if self.text.startswith("\r\n", self._at) else 1)
                if _NEXT_ENTRY.match(self.text, after):
                    return False
                self._at = after

    def _equals(self) -> None:
        self._sign = self._at
        self._at += 1
        self._spaces()

    def _bad_inline(self, key: Key) -> None:
        start = key[0].span.start if key else self._at
        found = _BARE_ITEM.match(self.text, self._at)
        self._at = found.end() if found else max(self._at, start + 1)
        self._fault("missing-equals", start, self._at, f"`{_short(self.text[start : self._at])}` has no `=`")

    def _no_value(self) -> Scalar:
        self._fault("missing-value", self._sign, self._sign + 1, "there is no value after the `=`")
        return self._missing(self._sign + 1)

    def _placeholder(self, at: int, end: int) -> Scalar:
        self._at = end
        span = Span(at, end)
        self.placeholders.append(span)
        return Scalar(span, self.text[at:end], self.text[at:end])

    def _unclosed_string(self, start: int, end: int) -> None:
        message = f"the string `{_short(self.text[start:end])}` is not closed"
        self._fault("unclosed-string", start, end, message)

    def _missing(self, at: int) -> Scalar:
        return Scalar(Span(at, at), "", "", "missing", guessed=True)

    def _end_of_line(self) -> None:
        self._spaces()
        if self.text.startswith("#", self._at):
            self._comment()
        elif self._at < self._size and self.text[self._at] not in "\r\n":
            start, self._at = self._at, self._line_end(self._at)
            shown = _short(self.text[start : self._at])
            self._fault("extra-text", start, self._at, f"`{shown}` stands behind the end of the entry")

    def _skip_blank(self, at: int) -> int:
        while True:
            found = _BLANK.match(self.text, at)
            self._at = at = found.end() if found else at
            if not self.text.startswith("#", at):
                return at
            self._comment()
            at = self._at

    def _comment(self) -> None:
        found = _COMMENT.match(self.text, self._at)
        if found:
            self.comments.append(Span(*found.span()))
            self._at = found.end()

    def _spaces(self) -> None:
        found = _SPACE.match(self.text, self._at)
        self._at = found.end() if found else self._at

    def _line_end(self, at: int) -> int:
        found = _LINE.match(self.text, at)
        return at + len(found.group().rstrip(" \t")) if found else at

    def _content_end(self, start: int) -> int:
        return start + len(self.text[start : self._at].rstrip(" \t\r\n"))

    def _fault(self, code: str, start: int, end: int, message: str) -> None:
        self.faults.append(Fault(code, Span(start, end), message))

    def marks(self) -> list[Mark]:
        return [
            *self.tables.marks,
            *(Mark("comment", span) for span in self.comments),
            *(Mark("template", span) for span in self.placeholders),
        ]


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
