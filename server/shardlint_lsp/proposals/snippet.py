"""Snippets as text, for editors that take none and where there is nothing to jump to."""

from __future__ import annotations

import re
from functools import lru_cache

_CHOICE = re.compile(r"\$\{\d+\|((?:\\.|[^\\,|])*)(?:,(?:\\.|[^\\|])*)?\|\}")
_ANY_STOP = re.compile(r"(?<!\\)\$[\d{]")
_STOP = re.compile(r"(?<!\\)\$(?:\d+|\{\d+:((?:\\.|[^\\}])*)\})")
_ESCAPED = re.compile(r"\\([\\$}])")
_IN_CHOICE = re.compile(r"\\([\\$},|])")


def has_stops(snippet: str) -> bool:
    """Whether there is a place the caret goes to."""
    return _ANY_STOP.search(snippet) is not None


@lru_cache(maxsize=4096)
def plain_text(snippet: str) -> str:
    """The text with the first word of each choice, and the text of each stop."""
    chosen = _CHOICE.sub(lambda found: _IN_CHOICE.sub(r"\1", found.group(1)), snippet)
    return _ESCAPED.sub(r"\1", _STOP.sub(lambda found: found.group(1) or "", chosen))
