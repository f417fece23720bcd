"""What decides how loud a finding may be, and the small readings of a value many rules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.formats.values import lax_integer, lax_switch
from shardlint.report import Finding, Fix, Place, Related, Severity

if TYPE_CHECKING:
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.plan import Fact
    from shardlint.syntax.view import Entry

TRAINERS = ("hf-trainer", "trl", "llamafactory", "axolotl", "swift")
"""Consumers that hand the DeepSpeed file to the Trainer of transformers."""

HF_READERS = ("accelerate", *TRAINERS)
"""Consumers that read a DeepSpeed file through accelerate."""


def refused(
    message: str,
    place: Place,
    fails_at: str,
    certain: bool,
    *,
    help: str | None = None,
    related: tuple[Related, ...] = (),
    fixes: tuple[Fix, ...] = (),
    assumes: tuple[str, ...] = (),
) -> Finding:
    """An error where all it rests on is certain, else the same sentence as a warning."""
    if certain and not place.guessed:
        return Finding(
            message, place, Severity.ERROR, fails_at=fails_at, help=help, related=related, fixes=fixes
        )
    return Finding(
        message,
        place,
        Severity.WARNING,
        confidence="assumed",
        help=help,
        related=related,
        fixes=fixes,
        assumes=assumes,
    )


def certain(*facts: Fact[int] | Fact[str] | Fact[float]) -> bool:
    return all(fact.certain for fact in facts)


def read_by(job: Job, *consumers: str) -> bool:
    """Whether a file or a setting, and no assumption, says that one of these reads the job's files."""
    return job.consumer.certain and job.consumer.value in consumers


def whole(entry: Entry | None) -> int | None:
    """The value as a whole number, as the typed parsers of DeepSpeed and accelerate coerce it: `2`, `"2"`."""
    value = entry.value if entry else None
    return None if isinstance(value, bool) else lax_integer(value)


def is_on(entry: Entry | None) -> bool:
    return entry is not None and lax_switch(entry.value) is True


def is_off(entry: Entry | None) -> bool:
    return entry is not None and lax_switch(entry.value) is False


def word(entry: Entry | None) -> str | None:
    """The value as a lower-case word, or None where it is none."""
    value = entry.value if entry else None
    return value.strip().lower() if isinstance(value, str) else None


def absent(reading: Reading, *path: str) -> bool:
    """Whether a key is not there, or null, which every reader of these files takes for not there."""
    entry = reading.view.get(*path)
    return entry is None or entry.value is None
