"""What the code behind a key takes, as JSON Schema: the counterpart of `takes`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from shardlint.schema.key import Key
from shardlint.schema.takes import RANK_WORDS, TRUTH
from shardlint.syntax.view import Value

Schema = dict[str, object]

ANYTHING: Schema = {}
SPACE, _DIGITS = r"\s*", "[0-9]+(_[0-9]+)*"
_WHOLE = rf"^{SPACE}[+-]?{_DIGITS}(\.0*)?{SPACE}$"
_INT = rf"^{SPACE}[+-]?{_DIGITS}{SPACE}$"
_FLOAT = (
    rf"^{SPACE}[+-]?(({_DIGITS}\.?({_DIGITS})?|\.{_DIGITS})([eE][+-]?{_DIGITS})?"
    rf"|[iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN]){SPACE}$"
)
_EMPTY: list[Value] = [None, False, 0, "", [], {}]
NAMES = {
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "str": "string",
    "path": "string",
    "mapping": "object",
    "null": "null",
}


def either(schemas: Iterable[Schema]) -> Schema:
    """One of the schemas, types put together; ANYTHING where one of them is."""
    types: list[str] = []
    others: list[Schema] = []
    for schema in schemas:
        if not schema:
            return ANYTHING
        if set(schema) == {"type"} and isinstance(schema["type"], str):
            types.append(schema["type"])
        elif schema not in others:
            others.append(schema)
    unique = list(dict.fromkeys(types))
    plain: list[Schema] = [{"type": unique[0] if len(unique) == 1 else unique}] if unique else []
    found = [*plain, *others]
    return found[0] if len(found) == 1 else {"anyOf": found}


def of_type(name: str) -> Schema:
    """One alternative of `Key.type`; items of a list may be `auto`."""
    if name.startswith("list"):
        inner = name[5:-1]
        if not inner:
            return {"type": "array"}
        return {"type": "array", "items": either([of_type(inner), {"const": "auto"}])}
    return {"type": NAMES[name]}


def any_case(text: str) -> str:
    return "".join(f"[{char.lower()}{char.upper()}]" if char.isalpha() else _literal(char) for char in text)


def _literal(text: str) -> str:
    """Text as a pattern that means it in every dialect of regular expressions."""
    return re.sub(r"[.*+?()\[\]{}|^$/\\]", lambda found: f"\\{found.group()}", text)


_BOOLEAN: Schema = {"type": "boolean"}
_INTEGER: Schema = {"type": "integer"}
_NUMBER: Schema = {"type": "number"}
BOOLEAN_TOO: Schema = {"not": {"type": ["string", "number", "array", "object", "null"]}}
"""A boolean where a number is meant: accepted, but put so that no editor proposes it."""
_BIT: Schema = {"type": "integer", "minimum": 0, "maximum": 1}

DEFINITIONS: Schema = {
    "spelt-boolean": {
        "type": "string",
        "pattern": f"^({'|'.join(any_case(word) for word in sorted(TRUTH))})$",
    },
    "spelt-whole": {"type": "string", "pattern": _WHOLE},
    "spelt-integer": {"type": "string", "pattern": _INT},
    "spelt-number": {"type": "string", "pattern": _FLOAT},
}
"""Texts that readers coerce, which the values refer to."""


def _spelt(what: str) -> Schema:
    return {"$ref": f"#/$defs/spelt-{what}"}


def _nullable(key: Key) -> list[Schema]:
    return [{"type": "null"}] if "null" in key.types else []


def _exact(key: Key) -> list[Schema]:
    return [of_type(name) for name in key.types if name in NAMES or name.startswith("list")]


def _pydantic(key: Key) -> list[Schema]:
    found: list[Schema] = []
    for name in key.types:
        if name == "bool":
            found += [_BOOLEAN, _BIT, _spelt("boolean")]
        elif name == "int":
            found += [_INTEGER, BOOLEAN_TOO, _spelt("whole")]
        elif name == "float":
            found += [_NUMBER, BOOLEAN_TOO, _spelt("number")]
        elif name == "any":
            found.append(ANYTHING)
        elif name in NAMES or name.startswith("list"):
            found.append(of_type(name))
    return found


def _no_bool(key: Key) -> list[Schema]:
    taken = [schema for schema in _pydantic(key) if schema != BOOLEAN_TOO]
    return [_spelt("integer") if schema == _spelt("whole") else schema for schema in taken]


def _numbers(key: Key) -> list[Schema]:
    return [_NUMBER, BOOLEAN_TOO, *_nullable(key)]


def _whole_text(key: Key) -> list[Schema]:
    return [*_nullable(key), _INTEGER, _spelt("integer")]


_SPELT_BOOLEAN = either([_BOOLEAN, _BIT, _spelt("boolean")])
_THREE: list[Schema] = [
    {"type": "array", "minItems": 3, "prefixItems": [_SPELT_BOOLEAN] * 3},
    {"type": "string", "pattern": "^[YyTtNnFf01]{3}"},
]


READS: dict[str, Callable[[Key], list[Schema]]] = {
    "pydantic": _pydantic,
    "pydantic-nobool": _no_bool,
    "pydantic-union": lambda key: [_INTEGER, BOOLEAN_TOO],
    "pydantic-compared": lambda key: [_INTEGER, BOOLEAN_TOO],
    "pydantic-power": _pydantic,
    "exact": _exact,
    "items": lambda key: [{"type": "string"}, {"type": "object"}, of_type("list[str]")],
    "non-empty": lambda key: [{"not": {"enum": _EMPTY}}],
    "int-of": lambda key: [_NUMBER, BOOLEAN_TOO, _spelt("integer")],
    "number": _numbers,
    "divisor": _numbers,
    "hashable": lambda key: [{"not": {"type": ["array", "object"]}}],
    "container": lambda key: [{"type": ["string", "array", "object"]}],
    "number-or-empty": lambda key: [_NUMBER, BOOLEAN_TOO, {"enum": _EMPTY}],
    "mapping-or-empty": lambda key: [{"type": "object"}, {"enum": _EMPTY}],
    "number-list": lambda key: [*_numbers(key), of_type("list[float]")],
    "whole": lambda key: [_INTEGER, BOOLEAN_TOO],
    "member": lambda key: [_BOOLEAN, _BIT],
    "bitwise": lambda key: [_BOOLEAN, _INTEGER],
    "text": lambda key: [{"type": "string"}],
    "bool-text": lambda key: [*_nullable(key), _BOOLEAN, _BIT, _spelt("boolean")],
    "int-text": _whole_text,
    "count": lambda key: [{**_NUMBER, "not": {"const": -1}}, BOOLEAN_TOO, *_nullable(key)],
    "port": lambda key: [*_whole_text(key), {"const": False}, {"type": "object"}],
    "float-text": lambda key: [*_nullable(key), _NUMBER, _spelt("number")],
    "word-text": lambda key: [*_nullable(key), {"type": "string"}, _INTEGER],
    "int-compared": lambda key: [_INTEGER],
    "ranks": lambda key: [*_whole_text(key), {"enum": list(RANK_WORDS)}],
    "three": lambda key: [*_nullable(key), *_THREE],
    "word-list": _exact,
    "spaced": lambda key: [{"type": "string"}],
    "any": lambda key: [ANYTHING],
}
