"""Keys and values as text, with the stops an editor jumps between.

A style is a language (json, yaml, toml), or flow: YAML inside braces or brackets.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from shardlint.schema.key import Key

_PLAIN = re.compile(r"[A-Za-z_][\w\-./]*\Z", re.ASCII)
_YAML = ("yaml", "flow")
_YAML_WORDS = frozenset({"y", "yes", "n", "no", "on", "off", "true", "false", "null", "none"})
"""Words a YAML reader takes for something else than text."""


@lru_cache(maxsize=4096)
def escaped(text: str, special: str = "") -> str:
    """Text that a snippet takes as it stands; inside a stop the characters that end it are `special`."""
    return re.sub(rf"[\\$}}{re.escape(special)}]", lambda found: f"\\{found.group()}", text)


def value_text(value: object, style: str) -> str:
    """A scalar as the style writes it; YAML text is quoted only where it needs it."""
    if isinstance(value, str) and style in _YAML and _plain_in_yaml(value):
        return value
    return json.dumps(value)


@lru_cache(maxsize=4096)
def key_text(name: str, style: str) -> str:
    """A key as the style writes it, in quotes only where it needs them."""
    if style == "json" or _PLAIN.match(name) is None or (style == "toml" and not name.isidentifier()):
        return json.dumps(name)
    return value_text(name, style) if style in _YAML else name


@lru_cache(maxsize=2048)
def key_snippet(key: Key, style: str, values: tuple[object, ...]) -> str:
    """The key with a place for its value: a choice of `values`, or braces, or an empty stop."""
    name = key_text(key.name, style)
    if key.is_section:
        return _section(name, style)
    value = _choice([value_text(value, style) for value in values]) or _blank(key, style)
    return f"{name} = {value}" if style == "toml" else f"{name}: {value}"


def _plain_in_yaml(text: str) -> bool:
    return _PLAIN.match(text) is not None and text.lower() not in _YAML_WORDS


def _section(name: str, style: str) -> str:
    if style == "yaml":
        return f"{name}:\n  $0"
    if style == "toml":
        return f"{name} = {{ $0 }}"
    return f"{name}: {{$0}}" if style == "flow" else f"{name}: {{\n  $0\n}}"


def _choice(words: list[str]) -> str:
    if not words:
        return ""
    if len(words) == 1:
        return f"${{1:{escaped(words[0])}}}"
    return f"${{1|{','.join(escaped(word, ',|') for word in words)}|}}"


def _blank(key: Key, style: str) -> str:
    """A stop for a value nobody can guess, around something the reader takes."""
    if any(name.startswith("list") for name in key.types):
        return "[$1]"
    if {"int", "float"} & set(key.types):
        return f"${{1:{_smallest(key)}}}"
    if {"str", "path"} & set(key.types):
        return "$1" if style in _YAML else '"$1"'
    return "$1" if style == "yaml" else "${1:null}" if style != "toml" else '"$1"'


def _smallest(key: Key) -> str:
    """The smallest whole number the bounds allow, from 1 on unless they say 0."""
    limits = [bound for bound in key.bounds if bound.operator in (">", ">=")]
    least = max((bound.limit + (bound.operator == ">") for bound in limits), default=1)
    return f"{max(least, 0):.0f}"
