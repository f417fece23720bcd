"""Snippets as text, for editors that take none and where there is nothing to jump to."""

from __future__ import annotations

import re
from functools import lru_cache

from shardlint.schema.snippets import escaped

_CHOICE = re.compile(r"\$\{(\d+)\|((?:\\.|[^\\,|])*)(?:,(?:\\.|[^\\|])*)?\|\}")
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
    stops = without_choices(snippet)
    return _ESCAPED.sub(r"\1", _STOP.sub(lambda found: found.group(1) or "", stops))


@lru_cache(maxsize=4096)
def without_choices(snippet: str) -> str:
    """The snippet with a stop around the first word in the place of each choice."""
    return _CHOICE.sub(lambda found: f"${{{found[1]}:{_stop_text(found[2])}}}", snippet)


def _stop_text(chosen: str) -> str:
    """A word of a choice as it is written in a stop."""
    return escaped(_IN_CHOICE.sub(r"\1", chosen))
