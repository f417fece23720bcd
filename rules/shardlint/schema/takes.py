"""How the code behind a key takes a value.

How a reader takes a value (`Key.reads`):

| reads | what it takes |
|---|---|
| pydantic | pydantic 2 without strict mode: true for "yes" and 1, 2 for "2", 2.0 and true, 5e8 for an int |
| pydantic-nobool | the same, but a validator before it refuses booleans and text that `int` does not take |
| pydantic-union | the same for a whole number, but text stays text |
| pydantic-compared | the same for a whole number, but compared with one before that, since DeepSpeed 0.18.9 |
| pydantic-power | the same; before the section was checked, the exponent of a power of two |
| exact | a value of the type itself; other types are refused |
| items | whatever can be walked, if all in it is text |
| non-empty | everything but null, false, 0 and the empty |
| int-of | what Python's `int` takes |
| count | any number but -1, which stands for none; null too since accelerate 1.8.0 |
| number | any number, true and false included; text is refused |
| divisor | any number; text and null are refused since the release that `Key.bounds` name |
| hashable | everything but lists and mappings |
| container | whatever can be searched: text, a list or a mapping |
| number-or-empty | the same, or anything empty |
| mapping-or-empty | a mapping, or anything empty or false |
| number-list | any number, or a list of numbers |
| whole | a whole number; text is refused, a fraction since the release that `Key.bounds` name |
| member | true, false, 0 or 1 |
| bitwise | true, false or a whole number |
| text | words only when it is text; other types pass unread |
| bool-text, int-text, float-text, word-text | the text of the value must spell one; null spells None |
| port | the text of a whole number; false counts as 0 since accelerate 1.7.0, a mapping is skipped |
| int-compared | compared as a number first, then its text must spell a whole number |
| ranks | the text of a whole number, or a word torchrun takes for the number of processes |
| three | three or more values, since accelerate 1.5.0, which spell booleans, since 1.9.0 |
| word-list | true, false, null, a list, or words in one text, spaces between them |
| spaced | words in one text, spaces between them; what is no text passes unread |
| any | everything; a value of another type is kept and misread later |
"""

from __future__ import annotations

import re

from shardlint.schema.key import Key
from shardlint.syntax.expression import expression
from shardlint.syntax.view import Template, Value

TRUTH = frozenset({"y", "yes", "t", "true", "on", "1", "n", "no", "f", "false", "off", "0"})
"""Spellings of a boolean that pydantic and accelerate take, in any case."""

RANK_WORDS = ("auto", "cpu", "gpu", "xpu")
"""Words torchrun takes for as many processes as there are devices."""

LARGEST_FLOAT = 2.0**63
"""pydantic makes no int of a float from here on."""

WHOLE = expression(r"[+-]?\d+(?:_\d+)*(?:\.0*)?\Z", re.ASCII)
"""Text pydantic makes a whole number of."""
_INT = expression(r"[+-]?\d+(?:_\d+)*\Z", re.ASCII)


def takes(key: Key, value: Value) -> bool:
    """Whether the reader of a key takes a value as its type says, or could mean it."""
    return _TAKES.get(key.reads, _any)(key, value)


def _pydantic(key: Key, value: Value) -> bool:
    return any(_coerces(name, value) for name in key.types)


def _no_bool(key: Key, value: Value) -> bool:
    if isinstance(value, str) and "int" in key.types:
        return _INT.match(value.strip()) is not None
    return not isinstance(value, bool) and _pydantic(key, value)


def _union(key: Key, value: Value) -> bool:
    return not isinstance(value, str) and _coerces_int(value)


def _items(key: Key, value: Value) -> bool:
    return isinstance(value, str | dict) or _is("list[str]", value)


def _hashable(key: Key, value: Value) -> bool:
    return not isinstance(value, list | dict)


def _container(key: Key, value: Value) -> bool:
    return isinstance(value, str | list | dict)


def _non_empty(key: Key, value: Value) -> bool:
    return bool(value)


def _int_of(key: Key, value: Value) -> bool:
    return isinstance(value, int | float) or (
        isinstance(value, str) and _INT.match(value.strip()) is not None
    )


def _coerces(name: str, value: Value) -> bool:
    if name == "bool":
        return value in (0, 1) if isinstance(value, int | float) else _spells_truth(value)
    if name == "int":
        return _coerces_int(value)
    if name == "float":
        return isinstance(value, int | float) or (isinstance(value, str) and spells_float(value))
    return _is(name, value)


def _coerces_int(value: Value) -> bool:
    if isinstance(value, float):
        return value.is_integer() and abs(value) < LARGEST_FLOAT
    return isinstance(value, int) or (isinstance(value, str) and WHOLE.match(value.strip()) is not None)


def _exact(key: Key, value: Value) -> bool:
    return any(_is(name, value) for name in key.types)


def _is(name: str, value: Value) -> bool:
    if value is None or isinstance(value, Template):
        return name == "null" or isinstance(value, Template)
    if isinstance(value, list):
        return _is_list(name, value)
    if isinstance(value, dict):
        return name == "mapping"
    if isinstance(value, bool):
        return name == "bool"
    if isinstance(value, str):
        return name in ("str", "path")
    return name == "float" or (name == "int" and (isinstance(value, int) or value.is_integer()))


def _is_list(name: str, value: list[Value]) -> bool:
    if not name.startswith("list"):
        return False
    inner = name[5:-1]
    return not inner or all(
        isinstance(item, Template) or item == "auto" or _is(inner, item) for item in value
    )


def _number(key: Key, value: Value) -> bool:
    return isinstance(value, int | float) or (value is None and "null" in key.types)


def _count(key: Key, value: Value) -> bool:
    return isinstance(value, int | float) and value != -1


def _number_list(key: Key, value: Value) -> bool:
    return _number(key, value) or _is("list[float]", value)


def _whole(key: Key, value: Value) -> bool:
    return isinstance(value, int)


def _member(key: Key, value: Value) -> bool:
    return isinstance(value, int | float) and value in (0, 1)


def _text_only(key: Key, value: Value) -> bool:
    return isinstance(value, str | bool) or value is None


def _bool_text(key: Key, value: Value) -> bool:
    return _null_allowed(key, value) or _spells_truth(_spelt(value))


def _int_text(key: Key, value: Value) -> bool:
    text = _spelt(value)
    return _null_allowed(key, value) or (text is not None and _INT.match(text.strip()) is not None)


def _float_text(key: Key, value: Value) -> bool:
    text = _spelt(value)
    return _null_allowed(key, value) or (text is not None and spells_float(text))


def _word_text(key: Key, value: Value) -> bool:
    return _null_allowed(key, value) or (isinstance(value, str | int) and not isinstance(value, bool))


def _int_compared(key: Key, value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _ranks(key: Key, value: Value) -> bool:
    return _int_text(key, value) or value in RANK_WORDS


def _three(key: Key, value: Value) -> bool:
    if not isinstance(value, list | str):
        return _null_allowed(key, value)
    first = value[:3]
    return has_three(value) and all(isinstance(one, Template) or _spells_truth(_spelt(one)) for one in first)


def has_three(value: Value) -> bool:
    """Whether there are three things to pick out of a value by number."""
    return isinstance(value, list | str) and len(value) >= 3


def _null_allowed(key: Key, value: Value) -> bool:
    return value is None and "null" in key.types


def _spelt(value: Value) -> str | None:
    """What `str` makes of a scalar."""
    return None if value is None or isinstance(value, list | dict | Template) else str(value)


def _spells_truth(value: object) -> bool:
    return isinstance(value, str) and value.lower() in TRUTH


def spells_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _any(key: Key, value: Value) -> bool:
    """Nothing is refused; only a value that cannot be meant is a problem."""
    if value is None or _exact(key, value):
        return True
    if isinstance(value, list | dict):
        return False
    types = set(key.types)
    if types & {"mapping", "list", "list[str]", "list[int]", "list[bool]"} and not types & {"str", "bool"}:
        return False
    if isinstance(value, bool):
        return "int" not in types
    if isinstance(value, str):
        return bool(types & {"str", "path"})
    if isinstance(value, Template):
        return True
    fraction = "int" in types and not float(value).is_integer()
    return not fraction and (types != {"bool"} or value in (0, 1))


def _bitwise(key: Key, value: Value) -> bool:
    return isinstance(value, int)


def _number_or_empty(key: Key, value: Value) -> bool:
    return not value or isinstance(value, int | float)


def _mapping_or_empty(key: Key, value: Value) -> bool:
    return not value or isinstance(value, dict)


_TAKES = {
    "pydantic": _pydantic,
    "pydantic-nobool": _no_bool,
    "pydantic-union": _union,
    "pydantic-compared": _union,
    "pydantic-power": _pydantic,
    "exact": _exact,
    "items": _items,
    "non-empty": _non_empty,
    "int-of": _int_of,
    "count": _count,
    "number": _number,
    "divisor": _number,
    "hashable": _hashable,
    "container": _container,
    "number-or-empty": _number_or_empty,
    "mapping-or-empty": _mapping_or_empty,
    "number-list": _number_list,
    "whole": _whole,
    "member": _member,
    "bitwise": _bitwise,
    "text": _text_only,
    "bool-text": _bool_text,
    "int-text": _int_text,
    "port": _int_text,
    "float-text": _float_text,
    "word-text": _word_text,
    "int-compared": _int_compared,
    "ranks": _ranks,
    "three": _three,
    "word-list": _exact,
    "spaced": _any,
    "any": _any,
}
READS = tuple(_TAKES)
"""Every word `Key.reads` may hold."""
