"""The values a key takes, as JSON Schema: what `takes` and `check_value` accept, and hints for editors.

A value the framework refuses is refused; one that it takes, or merely misreads, is not. Texts that spell
a number or a boolean pass where the reader coerces them.
"""

from __future__ import annotations

import json
import re

from shardlint.schema.json_reads import (
    ANYTHING,
    BOOLEAN_TOO,
    NAMES,
    READS,
    SPACE,
    Schema,
    any_case,
    either,
    of_type,
)
from shardlint.schema.key import Bound, Key, Word
from shardlint.schema.releases import Releases, arrived, gone
from shardlint.schema.values import EXACT_FSDP_WORDS
from shardlint.syntax.view import Value

_BOUNDS = {">": "exclusiveMinimum", ">=": "minimum", "<": "exclusiveMaximum", "<=": "maximum"}


def value_schema(key: Key, releases: Releases | None) -> Schema:
    """What a key takes, with `auto` where somebody fills it in."""
    if not key.fails_at and not key.value_fails_at:
        return hint(key)
    accepted = _accepted(key, releases)
    if key.auto or "auto" in key.types or key.reads.startswith("pydantic"):
        accepted.append({"const": "auto"})
    return either(accepted)


def hint(key: Key) -> Schema:
    """What is meant, where nothing refuses anything else."""
    meant = [of_type(name) for name in key.types if name in NAMES or name.startswith("list")]
    texts = [word.text for word in key.words if not word.removed]
    if texts and not any("list" in name for name in key.types):
        meant = [{"enum": _as_typed(key, texts)}]
    scalar = [schema for schema in meant if schema.get("type") not in ("object", "null")]
    return {"anyOf": [*scalar, ANYTHING]} if scalar and not key.is_section else ANYTHING


def bounds(key: Key, releases: Releases | None) -> list[Bound]:
    """The limits of a number that the newest possible release checks."""
    return [bound for bound in key.bounds if not bound.soft and arrived(releases, bound.since)]


def _number(bound: Bound) -> float:
    return int(bound.limit) if bound.limit == int(bound.limit) else bound.limit


def _accepted(key: Key, releases: Releases | None) -> list[Schema]:
    found = READS[key.reads](key) if key.fails_at else [ANYTHING]
    texts = _texts(key, releases)
    if texts is not None:
        found = [schema for schema in found if not _is_text(schema)] + texts
        found = [schema for schema in found if schema.get("type") not in ("integer", "number")]
    limits = bounds(key, releases)
    return [_limited(schema, limits) for schema in found]


def _limited(schema: Schema, limits: list[Bound]) -> Schema:
    """A schema with limits: of a number, or of a boolean that counts as one. Spelt numbers have none."""
    if schema.get("type") in ("integer", "number"):
        return {**{_BOUNDS[bound.operator]: _number(bound) for bound in reversed(limits)}, **schema}
    beyond: list[Value] = [one for one in (False, True) if not all(bound.holds(one) for bound in limits)]
    return {"allOf": [schema, {"not": {"enum": beyond}}]} if schema == BOOLEAN_TOO and beyond else schema


def _is_text(schema: Schema) -> bool:
    return schema.get("type") in ("string", "array") or "$ref" in schema


def _texts(key: Key, releases: Releases | None) -> list[Schema] | None:
    """The words of a key in place of any text or number; None where it has none that are checked."""
    words = [word for word in key.words if arrived(releases, word.since) and not gone(releases, word.removed)]
    if not words or key.soft_words:
        return None
    if key.reads == "word-list":
        return _several([word.text for word in words])
    if key.reads == "spaced":
        return [_spaced([word.text for word in words]), {"not": {"type": "string"}}]
    taken = _words(key, words)
    if key.reads == "text":
        taken.append({"not": {"type": "string"}})
    if any(name.startswith("list") for name in key.types):
        listed: Schema = {"type": "array", "items": either(taken)}
        taken = [listed, *(taken if "str" in key.types else [])]
    return taken


def _words(key: Key, words: list[Word]) -> list[Schema]:
    listed: Schema = {"enum": _as_typed(key, [word.text for word in words])}
    loose = [any_case(word.text) for word in words if word.any_case]
    spelt = "|".join(word.text for word in words if word.text.isdigit())
    patterns = [rf"^({'|'.join(loose)})$"] if loose else []
    if spelt and key.reads.startswith("pydantic"):
        patterns.append(rf"^{SPACE}\+?0*({spelt})(\.0*)?{SPACE}$")
    elif spelt and key.reads in ("int-text", "word-text"):
        patterns.append(rf"^{SPACE}\+?0*({spelt}){SPACE}$" if key.reads == "int-text" else rf"^({spelt})$")
    return [listed, *({"type": "string", "pattern": text} for text in patterns)]


def _several(words: list[str]) -> list[Schema]:
    """The words of `fsdp` in one text or in a list, strategies in any case."""
    cased = [word if word in EXACT_FSDP_WORDS else any_case(word) for word in words]
    listed: Schema = {"anyOf": [{"enum": words}, {"type": "string", "pattern": f"^({'|'.join(cased)})$"}]}
    return [_spaced(cased), {"type": "array", "items": listed}]


def _spaced(words: list[str]) -> Schema:
    """Words or patterns in one text, spaces between them."""
    one = f"({'|'.join(words)})"
    return {"type": "string", "pattern": rf"^{SPACE}({one}(\s+{one})*{SPACE})?$"}


def _as_typed(key: Key, texts: list[str]) -> list[Value]:
    """Words as the values people write: numbers where the key is one, `NO` of YAML 1.1 left to readers."""
    numeric = "int" in key.types or "float" in key.types
    return [int(text) if numeric and re.fullmatch(r"-?\d+", text) else text for text in texts]


def default_of(key: Key) -> tuple[bool, Value]:
    """(whether there is one, the default) of a key, where the table gives it as JSON or a word it takes."""
    if not key.default or key.default == "required":
        return False, None
    try:
        value = json.loads(key.default)
    except ValueError:
        known = key.default in [word.text for word in key.words] or key.default == "auto"
        return known, key.default if known else None
    if isinstance(value, float) and "int" in key.types and value.is_integer():
        value = int(value)
    return True, value
