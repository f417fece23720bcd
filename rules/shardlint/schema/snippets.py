"""Keys and values as text of a language, with the stops an editor jumps between."""

from __future__ import annotations

import json
import re

from shardlint.schema.key import Key

_PLAIN = re.compile(r"[A-Za-z_][\w\-./]*\Z", re.ASCII)
_YAML_WORDS = frozenset({"y", "yes", "n", "no", "on", "off", "true", "false", "null", "none"})
"""Words a YAML reader takes for something else than text."""


def value_text(value: object, language: str) -> str:
    """A scalar as the language writes it; YAML text is quoted only where it needs it."""
    if isinstance(value, str) and language == "yaml" and _plain_in_yaml(value):
        return value
    return json.dumps(value)


def key_snippet(key: Key, language: str, values: tuple[object, ...]) -> str:
    """The key with a place for its value: a choice of `values`, or braces, or an empty stop."""
    name = key.name
    if key.is_section:
        return _section(name, language)
    value = _choice([value_text(value, language) for value in values]) or _blank(key, language)
    if language == "toml":
        return f"{name} = {value}"
    return f"{name}: {value}" if language == "yaml" else f"{json.dumps(name)}: {value}"


def _plain_in_yaml(text: str) -> bool:
    return _PLAIN.match(text) is not None and text.lower() not in _YAML_WORDS


def _section(name: str, language: str) -> str:
    if language == "yaml":
        return f"{name}:\n  $0"
    if language == "toml":
        return f"[{name}]\n$0"
    return f"{json.dumps(name)}: {{\n  $0\n}}"


def _choice(words: list[str]) -> str:
    if not words:
        return ""
    if len(words) == 1:
        return f"${{1:{_escaped(words[0], '}')}}}"
    return f"${{1|{','.join(_escaped(word, ',|') for word in words)}|}}"


def _escaped(text: str, special: str) -> str:
    """Text inside a stop: there a backslash, a dollar and the characters that end it are escaped."""
    return re.sub(rf"[\\$}}{re.escape(special)}]", lambda found: f"\\{found.group()}", text)


def _blank(key: Key, language: str) -> str:
    if any(name.startswith("list") for name in key.types):
        return "[$1]"
    quoted = bool({"str", "path"} & set(key.types)) and language != "yaml"
    return '"$1"' if quoted else "$1"
