"""What the table says against the values of a file, with how each is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shardlint.checks.keys.activity import plugin_since, ruled_out, short_since
from shardlint.checks.keys.placed import Placed, known_keys
from shardlint.checks.syntax.misread import is_misread, is_unfilled, looks_like_number
from shardlint.formats.reading import Reading
from shardlint.schema import Key, Problem, check_value, suggest
from shardlint.schema.takes import TRUTH
from shardlint.schema.values import check_text
from shardlint.syntax.json_scanner_tokens import NAN_WORDS
from shardlint.syntax.tree import Scalar
from shardlint.syntax.view import Entry


class Fault(NamedTuple):
    """A value that is none, its key and what is wrong with it."""

    found: Placed
    key: Key
    problem: Problem


def faults(reading: Reading) -> tuple[Fault, ...]:
    """Every value of the file that its key does not take, without those of sections and removed keys."""
    return reading.kept("faults", _all_faults)


def _all_faults(reading: Reading) -> tuple[Fault, ...]:
    return tuple(_faults(reading))


def _faults(reading: Reading) -> Iterator[Fault]:
    for found, key in known_keys(reading):
        if key.removed or (key.is_section and not _partly_scalar(key)):
            continue
        unread = (key.effective == "nowhere" and not key.fails_at) or ruled_out(reading, key) is not None
        if unread or _read_oddly(reading, found.entry, key):
            continue
        check = check_text if found.table.stack == "accelerate" and not key.auto else check_value
        problem = check(key, found.entry.value)
        if problem is not None:
            yield Fault(found, key, problem)


def _partly_scalar(key: Key) -> bool:
    return "str" in key.types


def _read_oddly(reading: Reading, entry: Entry, key: Key) -> bool:
    """A value its loader reads as something else than it looks: the rules on dialects say so.

    In YAML 1.1 a plain no or 1e-5, in hjson text without quotes, which swallows a comma after it.
    """
    node = entry.node
    if not isinstance(node, Scalar) or node.style != "plain":
        return False
    if reading.document.language == "json":
        unfilled = isinstance(entry.value, str) and is_unfilled(reading.document)
        return unfilled or is_misread(node, entry.value)
    if reading.document.language != "yaml":
        return False
    if isinstance(entry.value, bool):
        return node.text.lower() not in ("true", "false")
    number_wanted = bool({"int", "float"} & set(key.types)) and "str" not in key.types
    return (
        number_wanted
        and not spells_whole(key)
        and isinstance(entry.value, str)
        and looks_like_number(node.text)
    )


def spells_whole(key: Key) -> bool:
    """Whether the reader takes the text of a value, which must spell a whole number, for its number: then
    neither 1e8 nor 1.0e+8 is one."""
    return key.reads in ("int-text", "ranks")


def refused_since(fault: Fault) -> str:
    """The first release that refuses the value; empty for all.

    It is the one that checks this value, that checks the section at all, or that reads the key under the name
    it has; before the last, a section that refuses unknown keys refuses this one too. What fails in the
    launcher fails before a section is checked.
    """
    found, section = fault.found, fault.found.section
    at_once = found.table.stack == "accelerate" and fault.key.fails_at == "launch"
    checked = "" if section is None or at_once or used_unchecked(fault) else section.refuses_since
    checked = plugin_since(fault.key.path, found.entry.view.value("distributed_type")) or checked
    strict = (section is not None and section.unknown == "refused") or _is_argument(fault)
    read = "" if strict else fault.key.since
    return max((fault.problem.since, checked, read, short_since(found.path)), key=_release)


def _is_argument(fault: Fault) -> bool:
    """Whether it is an argument of the Trainer itself, which refuses arguments it does not have yet."""
    return fault.found.table.stack == "hf-trainer" and not fault.key.section


def used_unchecked(fault: Fault) -> bool:
    """Whether releases that did not check the section stumble over the value as well: an exponent that is no
    number, where fp16 is on. Source: DeepSpeed before 0.17.1, `runtime/config.py`,
    `get_initial_dynamic_scale`."""
    entry = fault.found.entry
    if fault.key.reads != "pydantic-power" or isinstance(entry.value, int | float):
        return False
    return entry.view.value(*entry.path[:-1], "enabled") is True


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def is_quoted_boolean(fault: Fault) -> bool:
    """Text that spells true or false where a boolean is expected."""
    value = fault.found.entry.value
    return isinstance(value, str) and value.strip().lower() in TRUTH and "bool" in fault.key.types


def may_be_filled_in(key: Key, entry: Entry) -> bool:
    """Whether a bare word of a JSON file may be a name that some script replaces: no constant, and no word
    that the key takes."""
    node = entry.node
    if not isinstance(node, Scalar) or node.style != "plain" or entry.view.document.language != "json":
        return False
    constants = ("true", "false", "none", "null", *(TRUTH if "bool" in key.types else ()))
    constant = node.raw in NAN_WORDS or node.raw.lower() in constants
    word = node.raw.isidentifier() and not constant and meant_boolean(key, node.raw) is None
    return word and check_value(key, node.raw) is not None


def meant_boolean(key: Key, value: object) -> str | None:
    """What a misspelt true or false was to be."""
    misspelt = isinstance(value, str) and "bool" in key.types and value.strip().lower() not in TRUTH
    return suggest(value, ("true", "false")) if isinstance(value, str) and misspelt else None
