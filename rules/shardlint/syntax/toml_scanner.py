"""TOML text to a positioned tree, line by line, whatever is wrong with it. Validity is tomllib's to judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.syntax.document import Mark
from shardlint.syntax.toml_cursor import short
from shardlint.syntax.toml_values import BARE_VALUE, Values
from shardlint.syntax.tree import Span

if TYPE_CHECKING:
    from shardlint.syntax.toml_tables import Key
    from shardlint.syntax.tree import Mapping, Node


class Header(NamedTuple):
    """A line `[path]`, or `[[path]]` of an array of tables."""

    path: tuple[str, ...]
    span: Span
    array: bool


class TomlScanner(Values):
    """Reads the whole text on `run`: `tables.root`, `headers`, `faults`, `comments`, `placeholders`,
    `marks()`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.headers: list[Header] = []

    def run(self) -> None:
        """Raises TooDeep; what was read until then is kept."""
        table = self.tables.root
        try:
            while (at := self.skip_blank(self.at)) < self.size:
                self.at = at
                if self.text[at] == "[":
                    table = self._header(table)
                else:
                    table = self._entry(table)
                self._end_of_line()
        finally:
            self.tables.finish()

    def _header(self, table: Mapping) -> Mapping:
        start = self.at
        double = self.text.startswith("[[", start)
        self.at += 2 if double else 1
        key = self.key()
        self.spaces()
        closer = "]]" if double else "]"
        closed = self.text.startswith(closer, self.at)
        end = self.at + len(closer) if closed else self.line_end(self.at)
        shown = self.text[start:end]
        self.at = end
        if not key:
            self.fault("missing-key", start, end, f"the header `{short(shown)}` names no table")
            return table
        if not closed:
            self.fault(
                "unclosed-bracket", start, end, f"the header `{short(shown)}` has no closing `{closer}`"
            )
            key[-1].guessed = True
        self.headers.append(Header(tuple(part.text for part in key), Span(start, end), double))
        open_table = self.tables.array_table if double else self.tables.table
        return open_table(key, end)

    def _entry(self, table: Mapping) -> Mapping:
        """`key = value`, put into the table; the table the next line belongs to."""
        start = self.at
        key = self.key()
        if not key:
            self.at = self.line_end(start)
            self.fault("unreadable-line", start, self.at, f"`{short(self.text[start : self.at])}` is no key")
            return table
        self.spaces()
        if self.text.startswith("]", self.at):
            return self._headless(start, key)
        if not self.text.startswith("=", self.at):
            end = max(self.line_end(self.at), key[-1].span.end)
            self.fault(
                "missing-equals", start, end, f"`{short(self.text[start:end])}` has no `=` after the key"
            )
            key[-1].guessed = True
            self.at = end
            value: Node = self.missing(key[-1].span.end)
        else:
            self.equals()
            value = self.value(BARE_VALUE)
        self.tables.put(table, key, value)
        return table

    def _headless(self, start: int, key: Key) -> Mapping:
        """A header whose opening bracket is gone, `parallelism]`."""
        double = self.text.startswith("]]", self.at)
        self.at += 2 if double else 1
        shown = short(self.text[start : self.at])
        self.fault("missing-bracket", start, self.at, f"the header `{shown}` has no opening `[`")
        key[-1].guessed = True
        open_table = self.tables.array_table if double else self.tables.table
        return open_table(key, self.at)

    def _end_of_line(self) -> None:
        self.spaces()
        if self.text.startswith("#", self.at):
            self.comment()
        elif self.at < self.size and self.text[self.at] not in "\r\n":
            start, self.at = self.at, self.line_end(self.at)
            shown = short(self.text[start : self.at])
            self.fault("extra-text", start, self.at, f"`{shown}` stands behind the end of the entry")

    def marks(self) -> list[Mark]:
        return [
            *self.tables.marks,
            *(Mark("comment", span) for span in self.comments),
            *(Mark("template", span) for span in self.placeholders),
        ]
