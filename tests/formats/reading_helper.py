"""Reads a text the way the product does: parse, recognise, read."""

from __future__ import annotations

from textwrap import dedent

from shardlint.formats.reading import Reading
from shardlint.formats.registry import recognise, sniff
from shardlint.syntax.parse import parse


def read(text: str, name: str) -> Reading:
    """The reading of a text that must be recognised."""
    source = dedent(text)
    document = parse(source, name)
    format = recognise(document)
    assert format is not None, f"{name} is not recognised"
    assert sniff(source, name)
    return format.read(document)


def kind(text: str, name: str) -> str | None:
    """The name of the format a text is recognised as."""
    found = recognise(parse(dedent(text), name))
    return found.name if found else None


def values(reading: Reading, *terms: str) -> dict[str, object]:
    """The values of the terms a reading states; an absent term is left out."""
    return {term: reading.terms[term].value for term in terms if term in reading.terms}


def standing(reading: Reading, term: str) -> str:
    return reading.terms[term].standing
