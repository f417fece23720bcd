"""The known word closest to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable

CLOSE = 75.0
"""Smallest similarity, in per cent, at which a word is worth suggesting."""

MAX_LENGTH = 200


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The closest known word, or None where nothing is close enough to be what was meant."""
    found = near(word, known, 1)
    return found[0] if found else None


def near(word: str, known: Iterable[str], count: int) -> tuple[str, ...]:
    """Up to `count` known words, the closest first."""
    from rapidfuzz import fuzz, process

    choices = list(known)
    found = process.extract(
        word.lower()[:MAX_LENGTH],
        [choice.lower() for choice in choices],
        scorer=fuzz.ratio,
        limit=count,
        score_cutoff=CLOSE,
    )
    return tuple(choices[at] for _, _, at in found)
