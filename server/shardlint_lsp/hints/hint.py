"""A hint, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from shardlint.report import Place
from shardlint_lsp.look import Look

LONGEST = 40
"""Characters of a hint: more of it hides the config."""

_LAST_COMMA = re.compile(r"[ \t]*,(?=[ \t]*(?:[\r\n]|\Z))")


class Hint(NamedTuple):
    """A short text behind a value. `at` is an offset in code points; `why` the Markdown that explains it;
    `bare` the text without where it comes from, where the two differ."""

    at: int
    text: str
    why: str
    bare: str = ""


def behind(look: Look, place: Place | None) -> int | None:
    """The offset behind a value written in the open text, and behind the comma that ends its line; None for
    a value that is absent or stands in another file."""
    if place is None or place.missing is not None or place.path != look.name:
        return None
    comma = _LAST_COMMA.match(look.document.text, place.span.end)
    return comma.end() if comma else place.span.end


def agreed(hints: Iterable[Hint]) -> Iterator[Hint]:
    """One hint a place; none where the jobs that share the file do not agree on it."""
    said: dict[int, Hint | None] = {}
    for hint in hints:
        known = said.setdefault(hint.at, hint)
        if known is not None and known.text != hint.text:
            said[hint.at] = _in_common(known, hint)
    return (hint for hint in said.values() if hint is not None)


def _in_common(one: Hint, other: Hint) -> Hint | None:
    """The same value from two sources."""
    if not one.bare or one.bare != other.bare:
        return None
    return one._replace(text=one.bare, why=f"{one.why}\n\n{other.why}")


def fitting(*texts: str) -> str:
    """The first of some texts, the fullest one first, that is short enough; the last one if none is."""
    return next((text for text in texts if len(text) <= LONGEST), texts[-1])
