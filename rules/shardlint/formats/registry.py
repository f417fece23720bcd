"""Which kind of file a text is: a cheap test on the raw text, then the keys of the parsed document."""

from __future__ import annotations

from functools import cache
from typing import Protocol, cast

from shardlint.collect import import_modules
from shardlint.formats.foreign import foreign_stack
from shardlint.formats.keys import Keys
from shardlint.formats.reading import Format
from shardlint.syntax.document import Document


class Registered(Format, Protocol):
    """What the registry asks of a format beyond reading: its place in the order and its raw-text test.

    `rank` orders recognition, the most specific signature first. `tells` are substrings of which at
    least one occurs in the text of every document the format matches.
    """

    @property
    def rank(self) -> int: ...

    @property
    def tells(self) -> frozenset[str]: ...


ESCAPES = ("\\u00", "\\x", "\\U000")
"""A key written with escapes hides its letters from the raw-text test."""


@cache
def all_formats() -> tuple[Registered, ...]:
    """Every module of this package that exposes FORMAT, most specific first."""
    formats = (getattr(module, "FORMAT", None) for module in import_modules("shardlint.formats"))
    found = [cast("Registered", format) for format in formats if format is not None]
    return tuple(sorted(found, key=lambda format: format.rank))


def recognise(document: Document) -> Format | None:
    """The format whose keys the document has; None also for a file of a stack that is not ours."""
    if foreign_stack(Keys.of(document)) is not None:
        return None
    return next((format for format in all_formats() if format.matches(document)), None)


def sniff(head: str, name: str) -> bool:
    """Whether a text may be one of our files: false only where `recognise` would find no format.

    `head` is the text, or as much of its beginning as the caller wants to judge by; `name` is the file's.
    """
    if not any(tell in head for tell in _tells()):
        return any(escape in head for escape in ESCAPES) and _has_keys(name)
    return True


def _has_keys(name: str) -> bool:
    return "hostfile" not in name.rpartition("/")[2].lower()


@cache
def _tells() -> tuple[str, ...]:
    """All tells, without those that contain another one."""
    tells = sorted({tell for format in all_formats() for tell in format.tells}, key=len)
    kept: list[str] = []
    for tell in tells:
        if not any(shorter in tell for shorter in kept):
            kept.append(tell)
    return tuple(kept)
