"""Rows that only count under what another key says, as `if` and `then` of JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple, cast

from shardlint.schema.json_reads import Schema
from shardlint.schema.key import Key
from shardlint.schema.table import Table, split

OFF = "NO"
"""The word YAML 1.1 reads as false."""


class Condition(NamedTuple):
    """Another key has one of some values. `absent`: or is not there, because the default is one of them.

    `other`: it has anything but these values.
    """

    path: str
    values: tuple[str, ...]
    absent: bool
    any_case: bool = False
    other: bool = False


def conditions(here: Table, key: Key) -> tuple[Condition, ...]:
    """What must be stated for a row to count: its own `when`, and what gives it and its sections an effect.

    Only accelerate leaves keys unread by the words of another key.
    """
    found: list[Condition] = []
    condition = key.condition()
    if condition is not None:
        default = _default(here, condition.path)
        absent = not default or condition.holds(default)
        found.append(Condition(condition.path, (condition.value,), absent, other=condition.other))
    if here.stack == "accelerate":
        steps = split(key.path)
        owners = [here.find(tuple(steps[:at])) for at in range(1, len(steps))]
        for owner in (*owners, key):
            switch, _, words = owner.effective.partition(" ") if owner is not None else ("", "", "")
            if words:
                found.append(Condition(switch, tuple(words.split()), True, True))
    return tuple(dict.fromkeys(found))


def test_of(here: Table, conditions: tuple[Condition, ...]) -> Schema:
    """The schema of a document in which all conditions hold."""
    tests = [_test(here, condition) for condition in conditions]
    return tests[0] if len(tests) == 1 else {"allOf": tests}


def nested(path: str, inner: Schema) -> Schema:
    """A schema of the whole document that asks `inner` of what stands at a path."""
    for step in reversed(split(path)):
        inner = {"items": inner} if step == "[]" else {"properties": {step: inner}}
    return inner


def together(schemas: Iterable[Schema]) -> Schema:
    """One schema that asks what all do, where none contradicts another below one key."""
    found: Schema = {}
    for schema in schemas:
        for word, asked in schema.items():
            known = found.get(word)
            if isinstance(known, dict) and isinstance(asked, dict):
                found[word] = together([cast("Schema", known), cast("Schema", asked)])
            elif isinstance(known, list) and isinstance(asked, list):
                found[word] = [*cast("list[object]", known), *cast("list[object]", asked)]
            else:
                found[word] = asked
    return found


def _default(here: Table, path: str) -> str:
    key = here.find(path)
    return "" if key is None or key.default == "required" else key.default


def _test(here: Table, condition: Condition) -> Schema:
    section, _, name = condition.path.rpartition(".")
    key = here.find(condition.path)
    names = [name, key.alias] if key is not None and key.alias else [name]
    accepted: Schema = {"enum": _spellings(condition)}
    if condition.other:
        accepted = {"not": accepted}
    asked: Schema = {"properties": dict.fromkeys(names, accepted)}
    if not condition.absent:
        asked["required"] = [name]
    if not section:
        return asked
    whole = nested(section, asked)
    return whole if condition.absent else {**whole, "required": split(section)[:1]}


def _spellings(condition: Condition) -> list[object]:
    found: list[object] = [None] if condition.absent != condition.other else []
    for word in condition.values:
        found.append(word)
        if word.lstrip("-").isdigit():
            found.append(json.loads(word))
        if condition.any_case and word.lower() != word:
            found.append(word.lower())
        if condition.any_case and word == OFF:
            found.append(False)
    return found
