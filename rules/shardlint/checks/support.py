"""What rule files share: building a finding from an entry, a fact or a place."""

from __future__ import annotations

from shardlint.formats.reading import Reading
from shardlint.report import (
    Edit,
    Finding,
    Fix,
    Place,
    Related,
    Severity,
    file_place,
    key_place,
    missing_place,
    value_place,
)
from shardlint.syntax.view import Entry


def at_key(reading: Reading, entry: Entry) -> Place:
    """Unknown, misplaced, removed, ignored: the key."""
    return key_place(reading.document, entry)


def at_value(reading: Reading, entry: Entry) -> Place:
    """Wrong, conflicting, memory: the value."""
    return value_place(reading.document, entry)


def at_missing(reading: Reading, parent: Entry | None, name: str) -> Place:
    """Missing: the parent's key, with the absent name."""
    return missing_place(reading.document, parent, name)


def at_file(reading: Reading) -> Place:
    return file_place(reading.document)


def related(place: Place | None, message: str) -> tuple[Related, ...]:
    return (Related(place, message),) if place is not None else ()


def replace_value(title: str, place: Place, text: str, safe: bool = False) -> Fix:
    return Fix(title, safe, (Edit(place.path, place.span, text),))


def spelt(entry: Entry | None) -> str:
    """A value inside a sentence: true, false and null in lower case, a list or mapping in brackets."""
    value = entry.value if entry else None
    if isinstance(value, list | dict):
        return "(a list)" if isinstance(value, list) else "(a mapping)"
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


__all__ = [
    "Edit",
    "Finding",
    "Fix",
    "Place",
    "Related",
    "Severity",
    "at_file",
    "at_key",
    "at_missing",
    "at_value",
    "related",
    "replace_value",
    "spelt",
]
