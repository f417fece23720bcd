"""The second pass over JSON whose brackets do not balance: lines close and open objects by indentation."""

from __future__ import annotations

from shardlint.syntax import json_scanner_tokens as tokens
from shardlint.syntax.document import Document
from shardlint.syntax.json_scanner import Scanner
from shardlint.syntax.json_scanner_plain import NEEDED, Frame
from shardlint.syntax.tree import Span


class IndentScanner(Scanner):
    """Trusts indentation more than brackets: a key belongs to the object whose keys stand in its column."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._closed: Frame | None = None

    def stretch(self, at: int) -> int:
        return at

    def pop(self, end: int) -> Frame:
        self._closed = super().pop(end)
        return self._closed

    def step(self, at: int) -> int:
        if self.first_on_line(at) and self._starts_member(at):
            column = self.column(at)
            while len(self.stack) > 1 and self._is_outside(self.stack[-1], column):
                self.close_unclosed(at)
            self._reopen(at, column)
            if self.stack and self.stack[-1].child is None:
                self.stack[-1].child = column
        return super().step(at)

    def close(self, at: int) -> int:
        if not self.first_on_line(at):
            return super().close(at)
        column = self.column(at)
        wants_object = self.text[at] == "}"
        for depth in range(len(self.stack) - 1, -1, -1):
            frame = self.stack[depth]
            if (frame.pairs is not None) == wants_object and self._indent(frame) == column:
                while len(self.stack) > depth + 1:
                    self.close_unclosed(at)
                return super().close(at)
        top = self.stack[-1]
        if (top.pairs is not None) == wants_object and self._indent(top) < column:
            return super().close(at)
        self.closes_nothing(at)
        return at + 1

    def _starts_member(self, at: int) -> bool:
        return self.text[at] == "{" or tokens.KEY_AHEAD.match(self.text, at) is not None

    def _is_outside(self, frame: Frame, column: int) -> bool:
        return column <= self._indent(frame) and frame.child != column

    def _indent(self, frame: Frame) -> int:
        if frame.indent is None:
            frame.indent = self.column(frame.start)
        return frame.indent

    def _reopen(self, at: int, column: int) -> None:
        """Go back into an object that a surplus bracket closed, when the key at `at` stands in its column."""
        frame = self._closed
        if frame is None or frame.child != column or frame.pairs is None or frame.pair is None:
            return
        top = self.stack[-1] if self.stack else None
        if top is None or top.child is None or column <= top.child:
            return
        if top.key is not None or not top.pairs or top.pairs[-1] is not frame.pair:
            return
        end = frame.node.span.end
        message = f"this `}}` ends the object, but the key on line {self.row(at)} is indented as part of it"
        self.fault("unexpected-closer", end - 1, end, message, Span(at, at + 1))
        frame.guess = frame.node.guessed = True
        frame.comma, frame.end = NEEDED, end
        self.stack.append(frame)
