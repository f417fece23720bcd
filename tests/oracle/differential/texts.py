"""Configs as nested pairs, which may hold a key twice, and their text as people write it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import yaml

Path = tuple[str, ...]


class Pairs(list[list[Any]]):
    """A mapping in the order written: a list of [key, value]."""

    def names(self) -> list[str]:
        return [key for key, _ in self]

    def at(self, name: str) -> Any:
        """The value of the last pair of that name. KeyError where there is none."""
        for key, value in reversed(self):
            if key == name:
                return value
        raise KeyError(name)

    def put(self, name: str, value: Any) -> None:
        """Replace the value of a key, or add the key at the end."""
        for pair in self:
            if pair[0] == name:
                pair[1] = value
                return
        self.append([name, value])

    def drop(self, name: str) -> None:
        self[:] = [pair for pair in self if pair[0] != name]


class Raw(str):
    """Text of a scalar, written as it is."""

    __slots__ = ()


def read(text: str, language: str) -> Pairs:
    data = json.loads(text) if language == "json" else yaml.safe_load(text)
    return paired(data)


def paired(data: Any) -> Any:
    if isinstance(data, dict):
        return Pairs([key, paired(value)] for key, value in data.items())
    return data


def copied(data: Any) -> Any:
    if isinstance(data, Pairs):
        return Pairs([key, copied(value)] for key, value in data)
    return list(data) if isinstance(data, list) else data


def find(tree: Pairs, path: Path) -> Any:
    """The value at a path. KeyError where there is none."""
    at: Any = tree
    for name in path:
        if not isinstance(at, Pairs):
            raise KeyError(name)
        at = at.at(name)
    return at


def has(tree: Pairs, path: Path) -> bool:
    try:
        find(tree, path)
    except KeyError:
        return False
    return True


def put(tree: Pairs, path: Path, value: Any) -> bool:
    """Set the value at a path, sections made where they are missing. False where something is in the way."""
    at = tree
    for name in path[:-1]:
        if name not in at.names():
            at.append([name, Pairs()])
        at = at.at(name)
        if not isinstance(at, Pairs):
            return False
    at.put(path[-1], copied(value))
    return True


def drop(tree: Pairs, path: Path) -> None:
    if has(tree, path):
        find(tree, path[:-1]).drop(path[-1])


def paths(tree: Pairs, above: Path = ()) -> list[Path]:
    """Every key, sections before what is in them."""
    found: list[Path] = []
    for key, value in tree:
        found.append((*above, key))
        if isinstance(value, Pairs):
            found += paths(value, (*above, key))
    return found


def write(tree: Pairs, language: str) -> str:
    return _json(tree, "") + "\n" if language == "json" else "".join(_yaml(tree, ""))


def _json(value: Any, indent: str) -> str:
    if isinstance(value, Raw):
        return str(value)
    if not isinstance(value, Pairs):
        return json.dumps(value)
    if not value:
        return "{}"
    inner = indent + "  "
    lines = (f"{inner}{json.dumps(key)}: {_json(item, inner)}" for key, item in value)
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _yaml(value: Pairs, indent: str) -> list[str]:
    lines: list[str] = []
    for key, item in value:
        if isinstance(item, Pairs) and item:
            lines += [f"{indent}{_plain(key)}:\n", *_yaml(item, indent + "  ")]
        else:
            lines.append(f"{indent}{_plain(key)}: {_scalar(item)}\n")
    return lines


def _scalar(value: Any) -> str:
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Pairs):
        return "{}"
    if isinstance(value, list):
        return f"[{', '.join(_scalar(item) for item in value)}]"
    return _plain(value) if isinstance(value, str) else json.dumps(value)


@cache
def _plain(text: str) -> str:
    """Without quotes where YAML then reads the same text."""
    try:
        same = yaml.safe_load(f"a: {text}\n") == {"a": text} and "\n" not in text
    except yaml.YAMLError:
        same = False
    return text if same else "'" + text.replace("'", "''") + "'"
