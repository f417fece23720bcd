"""The tables themselves: tab-separated files beside this module, read on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from shardlint.schema.key import DOCUMENTATION, Key
from shardlint.syntax.keypath import KeyPath

STACKS = ("deepspeed", "accelerate", "hf-trainer")
ROOTS = {"hf-args": ("hf-trainer", ""), "fsdp": ("hf-trainer", "fsdp_config")}
"""Names of file formats whose keys are those of a table, or of one section of it."""


class Table:
    """The keys of one stack. Rows become `Key`s when they are asked for.

    Paths are tuples of steps as in a document (`("zero_optimization", "stage")`) or dotted text; list
    items are ints or `[]`. A second spelling (`Key.alias`) finds the row of the first. Several threads may
    ask: what is worked out on the way is kept only when it is whole.
    """

    def __init__(self, stack: str, text: str, root: str = "") -> None:
        self.stack = stack
        self.root = root
        self._rows: dict[str, list[str]] = {}
        self._keys: dict[str, tuple[Key, ...]] = {}
        self._children: dict[str, list[str]] | None = None
        self._aliases: dict[str, str] | None = None
        self._places: dict[str, list[str]] | None = None
        for line in text.splitlines()[1:]:
            self._rows.setdefault(line.partition("\t")[0], []).append(line)

    def find(self, path: KeyPath | str) -> Key | None:
        """The row of a key; the first where it has several variants."""
        found = self.variants(path)
        return found[0] if found else None

    def variants(self, path: KeyPath | str) -> tuple[Key, ...]:
        """Every row of a key: one for each `when`."""
        known = self.resolve(path)
        return self._keys_of(known) if known is not None else ()

    def resolve(self, path: KeyPath | str) -> str | None:
        """The path of a key as the table writes it, or None where it has no such key."""
        steps = path if isinstance(path, tuple) else tuple(split(path))
        at = self.root
        for step in steps:
            found = self._step(at, step)
            if found is None:
                return None
            at = found
        return at if at in self._rows else None

    def children(self, path: KeyPath | str = ()) -> tuple[Key, ...]:
        """The keys of a section, in the order of the table."""
        return tuple(rows[0] for rows in self.child_variants(path))

    def child_variants(self, path: KeyPath | str = ()) -> Iterator[tuple[Key, ...]]:
        """The keys of a section, in the order of the table, each with all of its rows."""
        at = self._resolve_section(path)
        return map(self._keys_of, self._tree().get(at, []) if at is not None else [])

    def names(self, path: KeyPath | str = ()) -> tuple[str, ...]:
        """The names of the keys of a section, second spellings included, named-by-the-user ones not."""
        at = self._resolve_section(path)
        if at is None:
            return ()
        own = [child[len(at) + 1 if at else 0 :] for child in self._tree().get(at, [])]
        alias = [name.rpartition(".")[2] for name in self._alias_paths() if name.rpartition(".")[0] == at]
        return tuple(name for name in (*own, *alias) if name[:1] not in ("<", "["))

    def section(self, path: KeyPath | str) -> Key | None:
        """The section a key stands in; for a top-level key the file, where the table describes it."""
        steps = path if isinstance(path, tuple) else tuple(split(path))
        return self.find(steps[:-1])

    def places_of(self, name: str) -> tuple[str, ...]:
        """Every path at which a key of that name, or a dotted end of a path, is legal."""
        named = self._by_name().get(name.rpartition(".")[2], ())
        found = [path for path in named if path == name or path.endswith(f".{name}")]
        prefix = f"{self.root}." if self.root else ""
        return tuple(path[len(prefix) :] for path in found if path.startswith(prefix))

    def link(self, key: Key) -> str:
        """The documentation of a key: its own page, or that of the nearest section above it."""
        base = DOCUMENTATION[self.stack]
        if self.stack == "hf-trainer":
            return f"{base}#transformers.TrainingArguments.{key.path.partition('.')[0]}"
        path = key.path
        while True:
            found = self._anchor(path)
            if found:
                return f"{base}#{found}" if self.stack == "deepspeed" else base + found
            if not path:
                return base
            path = path.rpartition(".")[0]

    def paths(self) -> tuple[str, ...]:
        return tuple(path for path in self._rows if path)

    def _anchor(self, path: str) -> str:
        lines = self._rows.get(path)
        return Key(*lines[0].split("\t")).anchor if lines else ""

    def _step(self, at: str, step: str | int) -> str | None:
        if isinstance(step, int) or step == "[]":
            item = f"{at}[]"
            return item if item in self._rows else None
        if "." in step or "[" in step:
            return None
        direct = f"{at}.{step}" if at else step
        if direct in self._rows or direct in self._tree():
            return direct
        if direct in self._alias_paths():
            return self._alias_paths()[direct]
        renamed = self._renamed(at)
        if renamed:
            return self._step(renamed, step)
        return next((child for child in self._tree().get(at, []) if child.endswith(">")), None)

    def _renamed(self, at: str) -> str:
        """The section a childless section is only the old name of; empty where it is none."""
        if not at or at in self._tree() or at not in self._rows:
            return ""
        key = Key(*self._rows[at][0].split("\t"))
        return key.replaced if key.is_section else ""

    def _resolve_section(self, path: KeyPath | str) -> str | None:
        steps = path if isinstance(path, tuple) else tuple(split(path))
        at = self.root
        for step in steps:
            found = self._step(at, step)
            if found is None:
                return None
            at = found
        return at

    def _keys_of(self, row: str) -> tuple[Key, ...]:
        if row not in self._keys:
            self._keys[row] = tuple(Key(*line.split("\t")) for line in self._rows[row])
        return self._keys[row]

    def _by_name(self) -> dict[str, list[str]]:
        if self._places is None:
            self._places = _grouped((*self._rows, *self._alias_paths()), lambda path: path.rpartition(".")[2])
        return self._places

    def _tree(self) -> dict[str, list[str]]:
        if self._children is None:
            self._children = _grouped(filter(None, self._rows), parent_of)
        return self._children

    def _alias_paths(self) -> dict[str, str]:
        if self._aliases is None:
            aliases: dict[str, str] = {}
            for path, lines in self._rows.items():
                alias = lines[0].split("\t")[14]
                if alias:
                    section = parent_of(path)
                    aliases[f"{section}.{alias}" if section else alias] = path
            self._aliases = aliases
        return self._aliases


def _grouped(paths: Iterable[str], name: Callable[[str], str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(name(path), []).append(path)
    return found


def split(path: str) -> list[str]:
    """The steps of dotted text: `a.b[].c` is a, b, [], c."""
    return [step for step in path.replace("[]", ".[]").split(".") if step]


def parent_of(path: str) -> str:
    """`a.b` of `a.b.c`, `a.b` of `a.b[]`, empty of `a`."""
    return path[:-2] if path.endswith("[]") else path.rpartition(".")[0]


@cache
def table(stack: str) -> Table:
    """The table of a stack, or of a file format whose keys are one (`hf-args`, `fsdp`).

    KeyError for a name that is none of these.
    """
    source, root = ROOTS.get(stack, (stack, ""))
    if source not in STACKS:
        raise KeyError(stack)
    text = (Path(__file__).parent / f"{source}.tsv").read_text(encoding="utf-8")
    return Table(source, text, root)
