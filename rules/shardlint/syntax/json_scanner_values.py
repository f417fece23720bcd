"""The middle layer of the JSON scanner: comments, quoted and unquoted values, and where they are put."""

from __future__ import annotations

from bisect import bisect_right

from shardlint.syntax import json_scanner_tokens as tokens
from shardlint.syntax.document import Document, Fault, Mark
from shardlint.syntax.json_scanner_plain import MAX_MARKS, NEEDED, PlainScanner
from shardlint.syntax.template import is_bare_placeholder
from shardlint.syntax.tree import Node, Pair, Scalar, Span

MAX_DIGITS = 4300
"""Digits of an int above which Python (3.10.7 and later) refuses to convert it."""


class ValueScanner(PlainScanner):
    """Reads one scalar or comment at a time.

    `swallowed` is the end of the line that hjson takes as part of an unquoted text: what stands before it
    is there for json's sake only, and `guessed`.
    """

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.size = len(document.text)
        self.swallowed = 0

    def skip(self, at: int) -> int:
        """The next character that is neither blank nor comment."""
        text, space = self.text, tokens.SPACE
        while True:
            found = space.match(text, at)
            at = found.end() if found else at
            end = self._comment_end(at)
            if end == at or len(self.marks) > MAX_MARKS:
                return at
            self.comments.append(Span(at, end))
            self.marks.append(Mark("comment", Span(at, end)))
            at = end

    def _comment_end(self, at: int) -> int:
        text = self.text
        if text.startswith(("#", "//"), at):
            found = tokens.LINE_END.search(text, at)
            return found.start() if found else self.size
        if not text.startswith("/*", at):
            return at
        close = text.find("*/", at + 2)
        if close >= 0:
            return close + 2
        self.fault("unclosed-comment", at, at + 2, "the comment that starts with `/*` is never closed")
        return self.size

    def placeholder(self, at: int, end: int) -> Scalar:
        """The value that starts with a placeholder from `at` to `end`."""
        found = self._word_end().search(self.text, end)
        end = found.start() if found else end
        raw = self.text[at:end].rstrip()
        self.marks.append(Mark("template", Span(at, at + len(raw))))
        return Scalar(Span(at, at + len(raw)), raw, raw, guessed=self.guessing(at))

    def quoted_value(self, at: int) -> Scalar:
        text = self.text
        if text.startswith("'''", at):
            return self.string(at, tokens.triple_string(text, at))
        frame = self.stack[-1] if self.stack else None
        in_list = frame is not None and frame.pairs is None
        opened_here = frame is not None and self.row(frame.start) == self.row(at)
        return self.string(at, tokens.value_string(text, at, in_list, opened_here))

    def string(self, at: int, token: tokens.StringToken) -> Scalar:
        raw = self.text[at : token.end]
        span = Span(at, token.end)
        style = "triple" if raw.startswith("'''") else "single" if raw[0] == "'" else "double"
        if not token.closed:
            self.fault("unclosed-string", *span, f"the text `{short(raw)}` has no closing quote")
            return Scalar(span, raw, token.text, style, guessed=True)
        if style != "double":
            self.marks.append(Mark(f"{style}-quoted", span))
        if style != "triple":
            self._check_string(span, raw)
        return Scalar(span, raw, token.text, style, guessed=self.guessing(at))

    def _check_string(self, span: Span, raw: str) -> None:
        if tokens.has_control(raw):
            self.marks.append(Mark("raw-control", span))
        if "\\" not in raw:
            return
        escape = tokens.bad_escape(raw)
        if escape:
            self.fault("bad-escape", *span, f"`{escape}` in a quoted text is not an escape JSON knows")
        elif tokens.has_quote_escape(raw):
            self.marks.append(Mark("odd-escape", span))

    def word(self, at: int) -> Scalar:
        """A number, true, false, null; or words only hjson takes, which it reads to the end of the line."""
        text = self.text
        literal = tokens.LITERAL.match(text, at)
        if literal:
            raw = literal.group(1)
            self._check_number(at, raw)
            return Scalar(Span(at, at + len(raw)), raw, raw, guessed=self.guessing(at))
        found = self._word_end().search(text, at + 1)
        raw = text[at : found.start() if found else self.size].rstrip(" \t")
        span = Span(at, at + len(raw))
        self.marks.append(Mark(_word_kind(raw), span))
        guess = self.guessing(at)
        if is_bare_placeholder(raw) or at < self.swallowed:
            return Scalar(span, raw, raw, guessed=guess)
        line_end = self.line_end(at)
        rest = text[span.end : line_end].rstrip()
        if rest:
            self.swallowed = line_end
            self.marks.append(Mark("swallowed", Span(span.end, span.end + len(rest))))
        return Scalar(span, raw, (raw + rest).strip(), guessed=guess)

    def _word_end(self) -> tokens.Pattern:
        in_list = bool(self.stack) and self.stack[-1].pairs is None
        return tokens.ITEM_WORD_END if in_list else tokens.MEMBER_WORD_END

    def _check_number(self, at: int, raw: str) -> None:
        if raw.lstrip("-").isdecimal():
            if len(raw) > MAX_DIGITS:
                self.marks.append(Mark("huge-int", Span(at, at + len(raw))))
        elif raw[0] not in "tfn" and abs(float(raw)) == float("inf"):
            self.marks.append(Mark("overflow-float", Span(at, at + len(raw))))

    def attach(self, node: Node) -> Pair | None:
        """Put a value where one is awaited: the root, the waiting key or the end of the list."""
        if not self.stack:
            self.root = node
            return None
        frame = self.stack[-1]
        frame.comma = NEEDED
        frame.end = node.span.end
        key, frame.key = frame.key, None
        if frame.pairs is None or key is None:
            frame.items.append(node)
            return None
        guess = frame.guess or key.guessed or node.guessed
        pair = Pair(key, node, Span(key.span.start, max(key.span.end, node.span.end)), guess)
        node.guessed = guess
        frame.pairs.append(pair)
        return pair

    def guessing(self, at: int) -> bool:
        return at < self.swallowed or (bool(self.stack) and self.stack[-1].guess)

    def fault(self, code: str, start: int, end: int, message: str, related: Span | None = None) -> None:
        self.faults.append(Fault(code, Span(start, end), message, related))

    def row(self, at: int) -> int:
        """1-based line of an offset."""
        return bisect_right(self.document.line_starts, at)

    def column(self, at: int) -> int:
        """The width of the indentation of the line an offset is on; tab stops stand every eight columns."""
        found = tokens.BLANKS.match(self.text, self.document.line_starts[self.row(at) - 1])
        return len(found.group().expandtabs()) if found else 0

    def first_on_line(self, at: int) -> bool:
        found = tokens.BLANKS.match(self.text, self.document.line_starts[self.row(at) - 1])
        return found is not None and found.end() == at

    def line_end(self, at: int) -> int:
        found = tokens.LINE_END.search(self.text, at)
        return found.start() if found else self.size


def _word_kind(raw: str) -> str:
    if is_bare_placeholder(raw):
        return "template"
    if raw in tokens.PYTHON_WORDS:
        return "python-literal"
    if raw in tokens.NAN_WORDS:
        return "nan"
    return "odd-number" if tokens.ODD_NUMBER.match(raw) else "quoteless-string"


def short(text: str) -> str:
    """A text as a message quotes it: at most 40 characters."""
    return text if len(text) <= 40 else f"{text[:37]}..."
