"""Snippets for editors that take none."""

from __future__ import annotations

import re

_CHOICE = re.compile(r"\$\{\d+\|((?:\\.|[^\\,|])*)(?:,(?:\\.|[^\\|])*)?\|\}")
_STOP = re.compile(r"(?<!\\)\$(?:\d+|\{\d+:((?:\\.|[^\\}])*)\})")
_ESCAPED = re.compile(r"\\([\\$}])")
_IN_CHOICE = re.compile(r"\\([\\$},|])")


def plain_text(snippet: str) -> str:
    """The text with the first word of each choice, and the text of each stop."""
    chosen = _CHOICE.sub(lambda found: _IN_CHOICE.sub(r"\1", found.group(1)), snippet)
    return _ESCAPED.sub(r"\1", _STOP.sub(lambda found: found.group(1) or "", chosen))
