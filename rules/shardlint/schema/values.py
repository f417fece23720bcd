"""Whether a value is one a key takes, and if not, what is wrong with it."""

from __future__ import annotations

from typing import NamedTuple

from shardlint.schema.key import Bound, Key, Word
from shardlint.schema.takes import WHOLE, has_three, spells_float, takes
from shardlint.syntax.view import Template, Value

_NAMES = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "path": "a path",
    "mapping": "a mapping",
    "list": "a list",
    "list[str]": "a list of text",
    "list[int]": "a list of whole numbers",
    "list[float]": "a list of numbers",
    "list[bool]": "a list of true and false",
    "null": "null",
    "auto": '"auto"',
}


MOST_WORDS = 8
"""More words are not listed in a sentence."""

FSDP_WORDS_SINCE = "5.10.0"
"""transformers release from which `fsdp` takes strategies in any case and checks the words of a list, too.
Source: `training_args.py`, `_apply_legacy_fsdp_to_config`; before it `__post_init__`."""

EXACT_FSDP_WORDS = ("offload", "auto_wrap")
"""Words of `fsdp` that are no strategy: lower case only."""


class Problem(NamedTuple):
    """Why a value is none. `kind` is type, word, range or coerced (taken, but not by every release).

    `refused`: the reader raises; else it keeps the value and something else happens than was meant.
    `since`: first release of which this is true, empty for all. `until`: first release of which it no
    longer is. `expected` ends "where ... is expected".
    """

    kind: str
    refused: bool
    expected: str
    since: str = ""
    until: str = ""


def check_value(key: Key, value: Value) -> Problem | None:
    """The first thing wrong with a value, or None. A placeholder and `auto` are never wrong."""
    return None if value == "auto" else check_text(key, value)


def check_text(key: Key, value: Value) -> Problem | None:
    """The same where `auto` is a text like any other, because nobody fills the file in."""
    if isinstance(value, Template) or key.type == "any":
        return None
    refuses = bool(key.fails_at)
    if not takes(key, value):
        skipped = key.reads in ("text", "spaced") or (key.reads == "port" and isinstance(value, dict))
        refused = refuses and not skipped
        return Problem("type", refused, expected(key), _type_since(key, value), _type_until(key, value))
    return _check_word(key, value, refuses) or _check_range(key, value, refuses) or _check_coerced(key, value)


def expected(key: Key) -> str:
    """`true or false`, `a whole number above 0`, `one of none, cpu and nvme`."""
    words = [word.text for word in key.words if not word.removed]
    if words and ("list" not in key.type or key.reads in ("word-list", "spaced")):
        return _choice(words)
    names = [_NAMES[name] for name in key.types if name in _NAMES and name != "null"]
    text = " or ".join(names) or "nothing a file can hold"
    lower = next((bound.text for bound in key.bounds if bound.operator[0] == ">"), "")
    upper = next((bound.text for bound in key.bounds if bound.operator[0] == "<"), "")
    bounds = " and ".join(filter(None, (lower, upper)))
    return f"{text} {bounds}" if bounds and names else text


def _choice(words: list[str]) -> str:
    if len(words) == 1:
        return words[0]
    return f"one of {', '.join(words)}" if len(words) <= MOST_WORDS else f"one of {len(words)} known words"


def number_of(value: object) -> float | None:
    """The number a value is or spells; true and false count as 1 and 0."""
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e300 else None
    if isinstance(value, str) and spells_float(value):
        return float(value)
    return None


def _type_since(key: Key, value: Value) -> str:
    """The first release that refuses a value of this type; empty for all."""
    since = key.bounds[0].since if key.bounds else ""
    if key.reads == "pydantic-nobool" and (isinstance(value, bool) or _spells_whole(key, value)):
        return since or "0.19.4"
    if key.reads == "pydantic-compared" and isinstance(value, str):
        return "0.18.9" if value == "auto" or WHOLE.match(value.strip()) else ""
    if key.reads == "three":
        return "1.9.0" if has_three(value) else "1.5.0"
    fresh = key.reads == "divisor" or (key.reads == "whole" and isinstance(value, float))
    return since if fresh else ""


def _spells_whole(key: Key, value: Value) -> bool:
    """Whether pydantic itself would make a whole number of a text."""
    return isinstance(value, str) and "int" in key.types and WHOLE.match(value.strip()) is not None


def _type_until(key: Key, value: Value) -> str:
    """The first release that takes a value of this type; empty for none."""
    if key.reads == "count" and value is None:
        return "1.8.0"
    return "1.7.0" if key.reads == "port" and value is False else ""


def _check_word(key: Key, value: Value, refuses: bool) -> Problem | None:
    words = key.words
    if not words or value is None:
        return None
    for text in _spoken(key, value):
        found = next((word for word in words if word.matches(text)), None)
        if found is None:
            ages = _word_ages(key, value, text)
            if ages is None:
                continue
            return Problem("word", refuses and not key.soft_words, expected(key), *ages)
        if found.since or found.removed:
            return _aged(found, refuses, expected(key))
    return None


def _word_ages(key: Key, value: Value, text: str) -> tuple[str, str] | None:
    """Since and until which release a word that is none of a key's is refused, empty for all; None: never."""
    if key.reads != "word-list":
        return "", ""
    loud = any(word.text == text.lower() for word in key.words) and text.lower() not in EXACT_FSDP_WORDS
    if isinstance(value, list):
        return None if loud else (FSDP_WORDS_SINCE, "")
    return ("", FSDP_WORDS_SINCE) if loud else ("", "")


def _aged(word: Word, refuses: bool, wanted: str) -> Problem:
    return Problem("word", refuses, wanted, since=word.removed, until=word.since)


def _spoken(key: Key, value: Value) -> list[str]:
    """The words in a value: one, or those of a list, or the number an int key reads."""
    if key.reads == "spaced":
        return value.split() if isinstance(value, str) else []
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str)]
    if key.reads == "word-text":
        return [str(value)]
    if key.reads == "word-list" and isinstance(value, str):
        return value.split()
    if isinstance(value, str) and not ("int" in key.types and WHOLE.match(value.strip())):
        return [value] if key.reads in ("exact", "text", "pydantic") else [value.strip()]
    number = number_of(value)
    return [f"{number:.0f}"] if number is not None and "int" in key.types else []


def _check_range(key: Key, value: Value, refuses: bool) -> Problem | None:
    number = number_of(value)
    bounds = key.bounds
    if number is None or not bounds or (isinstance(value, bool) and key.reads == "any"):
        return None
    broken = [bound for bound in bounds if not bound.holds(number)]
    if not broken:
        return None
    hard = [bound for bound in broken if not bound.soft]
    oldest = min(hard or broken, key=_age)
    return Problem("range", refuses and bool(hard), expected(key), since=oldest.since)


def _age(bound: Bound) -> tuple[int, ...]:
    return tuple(int(part) for part in bound.since.split(".") if part)


def _check_coerced(key: Key, value: Value) -> Problem | None:
    """A quoted boolean: taken by pydantic; kept as text, which is true, by releases before it."""
    quoted = key.reads == "pydantic" and key.types[0] == "bool" and isinstance(value, str)
    return Problem("coerced", False, expected(key)) if quoted else None
