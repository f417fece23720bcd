"""Placeholders that break YAML (`{{ x }}/y`, `[${x}]`, `{% if %}` lines), hidden one for one.

Each ASCII character of a placeholder becomes a private-use letter, so that offsets stay and the parser
sees one plain word; `unmask` gives the characters back. A line that is only a statement becomes blank.
"""

from __future__ import annotations

import re

from shardlint.syntax.expression import expression
from shardlint.syntax.tree import Span

_BASE = 0xE000
_HIDE = {code: _BASE + code for code in range(0x20, 0x7F)}
_SHOW = {_BASE + code: code for code in range(0x20, 0x7F)}
_HIDDEN = expression(r"[\ue020-\ue07e]")
_SUSPECT = expression(r"\{\{|\$\{|\{%|[@%][A-Za-z_]\w*[@%]|%\(")
_STATEMENT = expression(r"^[ \t]*(?:\{%.*?%\}|\{\{.*?\}\})[ \t]*\r?$", re.MULTILINE)
_PLACEHOLDER = expression(
    r"\$\{(?:[^{}\r\n]|\{[^{}\r\n]{0,200}\}){0,200}\}|\{\{[^\r\n]{0,200}?\}\}|\{%[^\r\n]{0,200}?%\}"
    r"|(?<=[ \t\[{,])(?:@{1,2}[A-Za-z_]\w{0,99}@{1,2}|%[A-Za-z_]\w{0,99}%|%\([A-Za-z_]\w{0,99}\)[dfis])"
    r"(?=[ \t\r\n,\]}]|\Z)"
)


def mask(text: str) -> str | None:
    """The text with its placeholders hidden, or None when it has none (or private-use letters of its own)."""
    if not _SUSPECT.search(text) or _HIDDEN.search(text):
        return None
    blanked = _STATEMENT.sub(lambda found: " " * len(found.group()), text)
    masked = _PLACEHOLDER.sub(lambda found: hide(found.group()), blanked)
    return masked if masked != text else None


def placeholders(text: str) -> list[Span]:
    """Where the placeholders stand that `mask` hides."""
    blank = [Span(*found.span()) for found in _STATEMENT.finditer(text)]
    return blank + [Span(*found.span()) for found in _PLACEHOLDER.finditer(text)]


def hide(run: str) -> str:
    """The run as private-use letters, one for one."""
    return run.translate(_HIDE)


def unmask(text: str) -> str:
    """The inverse of `hide`, wherever it was applied."""
    return text.translate(_SHOW) if _HIDDEN.search(text) else text
