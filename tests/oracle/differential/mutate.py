"""The kinds of mutations: ten ways in which a config goes wrong, or nearly."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from typing import Any

from oracle.differential.conflicts import CAME_AND_WENT, CONFLICTS, Conflict
from oracle.differential.mutants import Change, Kind
from oracle.differential.texts import Pairs, Path, Raw, drop, find, has, paths, put

SWITCHED = ("deepspeed_config", "fsdp_config", "parallelism_config")
"""Sections that are only read in files of their own kind."""

KEYBOARD = string.ascii_lowercase + "_"


def typo(pick: random.Random, word: str) -> str:
    """A slip of the hand."""
    at = pick.randrange(len(word))
    letter = pick.choice(KEYBOARD)
    slips = [
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
        word.upper() if word.islower() else word.lower(),
        word.replace("_", "-") if "_" in word else word + "s",
        word.replace("_", ""),
        word.removeprefix("stage3_") if word.startswith("stage3_") else "stage3_" + word,
    ]
    return pick.choice([slip for slip in slips if slip and slip != word] or [word + "x"])


def dropped(pick: random.Random, tree: Pairs, path: Path) -> Change | None:
    drop(tree, path)
    return Change(path, f"drop {_text(path)}")


def renamed(pick: random.Random, tree: Pairs, path: Path) -> Change | None:
    section, name = find(tree, path[:-1]), typo(pick, path[-1])
    if name in section.names():
        return None
    for pair in section:
        if pair[0] == path[-1]:
            pair[0] = name
    return Change((*path[:-1], name), f"rename {_text(path)} to {name}", (path,))


def retyped(pick: random.Random, tree: Pairs, path: Path) -> Change | None:
    value = find(tree, path)
    other = pick.choice(_other_types(value))
    put(tree, path, other)
    return Change(path, f"retype {_text(path)}: {_said(value)} -> {_said(other)}")


def _other_types(value: Any) -> list[Any]:
    if isinstance(value, Pairs):
        return [True, False, 1, "on", [], [1], "none", 0, ""]
    if isinstance(value, list):
        return ["all", 1, True, Pairs(), [1, 2], Pairs([["a", 1]]), "", False]
    if isinstance(value, bool):
        return [
            str(value).lower(),
            "yes",
            "maybe",
            1,
            0,
            2,
            1.0,
            0.5,
            [value],
            Pairs([["enabled", value]]),
            "",
        ]
    if isinstance(value, int):
        wrong = [
            str(value),
            f"{value}k",
            float(value),
            value + 0.5,
            True,
            False,
            [value],
            Pairs([["value", value]]),
        ]
        return [*wrong, "", f"{value}.0", f" {value}"]
    if isinstance(value, float):
        return [str(value), "high", True, [value], Pairs([["value", value]]), "", f"{value:e}"]
    if isinstance(value, str):
        return [1, 0, True, False, 2.5, [value], Pairs([[value, True]]), []]
    return [0, "none", False, [], Pairs()]


def misplaced(pick: random.Random, tree: Pairs, path: Path) -> Change | None:
    value = find(tree, path)
    sections = [(), *(one for one in paths(tree) if isinstance(find(tree, one), Pairs))]
    homes = [one for one in sections if one != path[:-1] and one[: len(path)] != path]
    if not homes:
        return None
    home = pick.choice(homes)
    if has(tree, (*home, path[-1])):
        return None
    drop(tree, path)
    put(tree, (*home, path[-1]), value)
    return Change((*home, path[-1]), f"move {_text(path)} into {_text(home) or 'the top'}", (path,))


def duplicated(pick: random.Random, tree: Pairs, path: Path) -> Change | None:
    section, value = find(tree, path[:-1]), find(tree, path)
    again = value if pick.random() < 0.5 else pick.choice(_near_values(value))
    section.insert(pick.randrange(len(section) + 1), [path[-1], again])
    return Change(path, f"write {_text(path)} twice")


def at_a_boundary(pick: random.Random, tree: Pairs, path: Path) -> Change | None:
    value = find(tree, path)
    if isinstance(value, Pairs):
        return None
    other = pick.choice(_near_values(value))
    put(tree, path, other)
    return Change(path, f"set {_text(path)}: {_said(value)} -> {_said(other)}")


def _near_values(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [0, -1, 1, 2, 3, value + 1, value - 1, value * 2, -value, 2**31, 0.5, 1e9, 10**15]
    if isinstance(value, float):
        return [0.0, -1.0, 1.0, 0, 1, value * 2, -value, 1e-12, 1.5, 100.0]
    if isinstance(value, str):
        return [
            value.upper(),
            value.lower(),
            value.title(),
            value + "s",
            "none",
            "x",
            f" {value}",
            "cpu",
            "fp32",
            "1",
        ]
    if isinstance(value, list):
        return [[], value[:1], value + value[:1], [0.5, 1.5], ["a"], [None], [-1]]
    return [0, 1, "none", False] if value is None else [Pairs(), None]


def automatic(pick: random.Random, tree: Pairs, path: Path) -> Change | None:
    put(tree, path, "auto")
    return Change(path, f"set {_text(path)} to auto")


def emptied(pick: random.Random, tree: Pairs, path: Path) -> Change | None:
    put(tree, path, None)
    return Change(path, f"set {_text(path)} to null")


def conflicting(pick: random.Random, tree: Pairs, path: Path) -> Change | None:
    conflict = _named(path[0])
    if not _bites(conflict, tree):
        return None
    for name in conflict.without:
        drop(tree, _path(name))
    written = []
    for name, values in conflict.values.items():
        value = pick.choice(values)
        if not put(tree, _path(name), value):
            return None
        written.append(f"{name} {_said(value)}")
    every = tuple(_path(name) for name in (*conflict.values, *conflict.without))
    return Change(every[0], f"{conflict.name}: {', '.join(written)}", every)


def _bites(conflict: Conflict, tree: Pairs) -> bool:
    """Whether a section the conflict needs is there: a section made for it would hardly be read."""
    needed = {_path(name)[0] for name in conflict.values} & set(SWITCHED)
    return not needed or any(name in tree.names() for name in needed)


def _named(name: str) -> Conflict:
    return next(one for several in CONFLICTS.values() for one in several if one.name == name)


def _conflicts(framework: str) -> list[str]:
    return [one.name for one in CONFLICTS[framework]]


def of_another_release(pick: random.Random, tree: Pairs, path: Path) -> Change | None:
    name = path[0]
    known = {**CAME_AND_WENT["deepspeed"], **CAME_AND_WENT["accelerate"]}
    home, value = _path(name), pick.choice(known[name])
    if len(home) > 1 and not isinstance(find(tree, home[:1]) if has(tree, home[:1]) else Pairs(), Pairs):
        return None
    if not put(tree, home, value):
        return None
    section = find(tree, home[:-1])
    section.insert(pick.randrange(len(section)), section.pop(section.names().index(home[-1])))
    return Change(home, f"add {name}: {_said(value)}")


def _came_and_went(framework: str) -> list[str]:
    return list(CAME_AND_WENT[framework])


def _path(name: str) -> Path:
    return tuple(name.split("."))


def _text(path: Path) -> str:
    return ".".join(path)


def _said(value: Any) -> str:
    if isinstance(value, Pairs):
        return "{" + ", ".join(f"{key}: {_said(item)}" for key, item in value) + "}"
    return str(value) if isinstance(value, Raw) else repr(value)


Sections = Callable[[str], list[str]]

KINDS = [
    Kind("drop", dropped),
    Kind("rename", renamed),
    Kind("retype", retyped),
    Kind("misplace", misplaced),
    Kind("duplicate", duplicated),
    Kind("boundary", at_a_boundary),
    Kind("auto", automatic),
    Kind("null", emptied),
    Kind("pair", conflicting, _conflicts),
    Kind("removed", of_another_release, _came_and_went),
]
