"""Where the TOML scanner stands in the text, and what it has noted so far."""

from __future__ import annotations

from shardlint.syntax.document import Fault
from shardlint.syntax.expression import expression
from shardlint.syntax.tree import Span

_BLANK = expression(r"[ \t\r\n\ufeff]*")
_SPACE = expression(r"[ \t]*")
_COMMENT = expression(r"#[^\r\n]*")
_LINE = expression(r"[^\r\n]*")
_LONGEST = 60


class Cursor:
    """`at` is the offset of the next character; faults and comments come in the order of the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.size = len(text)
        self.at: int = 0
        self.faults: list[Fault] = []
        self.comments: list[Span] = []

    def skip_blank(self, at: int) -> int:
        while True:
            found = _BLANK.match(self.text, at)
            self.at = at = found.end() if found else at
            if not self.text.startswith("#", at):
                return at
            self.comment()
            at = self.at

    def comment(self) -> None:
        found = _COMMENT.match(self.text, self.at)
        if found:
            self.comments.append(Span(*found.span()))
            self.at = found.end()

    def spaces(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def line_end(self, at: int) -> int:
        found = _LINE.match(self.text, at)
        return at + len(found.group().rstrip(" \t")) if found else at

    def fault(self, code: str, start: int, end: int, message: str) -> None:
        self.faults.append(Fault(code, Span(start, end), message))


def short(text: str) -> str:
    """The text as a message shows it."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
