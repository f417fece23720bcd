"""Markdown for editors: smaller headings, shorter links, and plain text where Markdown is not shown."""

from __future__ import annotations

import re
from collections.abc import Callable

from lsprotocol import types

_HEADING = re.compile(r"^#+ +(.+)")
_ADDRESS = re.compile(r"^- (https?://([^\s#]+?)/?(?:#\S*)?)$")
_RULE = re.compile(r"-{3,}")
_UNDER_HEADS = re.compile(r"(?m)^\|[\s:|-]+\|\n")
_ESCAPED = re.compile(r"\\([\\`*_\[\]<>|#~])")
_CODE = re.compile(r"(?<![`\\])`([^`\n]+)`(?!`)")
FENCE = "```"


def markup(text: str, kind: types.MarkupKind) -> types.MarkupContent:
    """Markdown with headings in bold and links by the name of their page, or what is left of it without its
    signs."""
    in_markdown = kind == types.MarkupKind.Markdown
    return types.MarkupContent(kind, unheaded(linked(text)) if in_markdown else plain(text))


def linked(text: str) -> str:
    """Addresses that stand alone as links: with its anchor one is wider than a tooltip."""
    return _outside_code(text, lambda line: _ADDRESS.sub(r"- [\2](\1)", line), lambda line: line)


def unheaded(text: str) -> str:
    """Headings as bold lines: in a tooltip they would be larger than the code beneath."""
    return _outside_code(text, lambda line: _HEADING.sub(r"**\1**", line), lambda line: line)


def plain(text: str) -> str:
    """The words of a Markdown text; tables keep their bars, code is indented."""
    text = _UNDER_HEADS.sub("", unheaded(text))
    shown = _outside_code(text, _bare, lambda line: "" if line.startswith(FENCE) else f"    {line}")
    return re.sub(r"\n{3,}", "\n\n", shown).strip()


def _bare(line: str) -> str:
    if _RULE.fullmatch(line):
        return ""
    without_emphasis = re.sub(r"(?<!\\)\*\*", "", _CODE.sub(r"\1", line))
    return _ESCAPED.sub(r"\1", without_emphasis)


def _outside_code(text: str, prose: Callable[[str], str], code: Callable[[str], str]) -> str:
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        fence = line.startswith(FENCE)
        lines.append(code(line) if inside or fence else prose(line))
        inside ^= fence
    return "\n".join(lines)
