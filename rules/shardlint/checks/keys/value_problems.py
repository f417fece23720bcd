"""What the table says against the values of a file, with how each is read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from shardlint.checks.keys.placed import Placed, known_keys
from shardlint.formats.reading import Reading
from shardlint.schema import Key, Problem, check_value
from shardlint.schema.takes import TRUTH
from shardlint.syntax.tree import Scalar
from shardlint.syntax.view import Entry


class Fault(NamedTuple):
    """A value that is none, its key and what is wrong with it."""

    found: Placed
    key: Key
    problem: Problem


@lru_cache(maxsize=8)
def faults(reading: Reading) -> tuple[Fault, ...]:
    """Every value of the file that its key does not take, without those of sections and removed keys."""
    return tuple(_faults(reading))


def _faults(reading: Reading) -> Iterator[Fault]:
    for found, key in known_keys(reading):
        if key.removed or (key.is_section and not _partly_scalar(key)) or _yaml_trap(reading, found.entry):
            continue
        problem = check_value(key, found.entry.value)
        if problem is not None:
            yield Fault(found, key, problem)


def _partly_scalar(key: Key) -> bool:
    return "str" in key.types


def _yaml_trap(reading: Reading, entry: Entry) -> bool:
    """A word or number that YAML 1.1 reads as something else than it looks: the rules on dialects say so."""
    node = entry.node
    if reading.document.language != "yaml" or not isinstance(node, Scalar) or node.style != "plain":
        return False
    if isinstance(entry.value, bool):
        return node.text.lower() not in ("true", "false")
    return isinstance(entry.value, str) and _looks_like_number(node.text)


def _looks_like_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return any(char.isdigit() for char in text)


def is_quoted_boolean(fault: Fault) -> bool:
    """Text that spells true or false where a boolean is expected."""
    value = fault.found.entry.value
    return isinstance(value, str) and value.strip().lower() in TRUTH and "bool" in fault.key.types
