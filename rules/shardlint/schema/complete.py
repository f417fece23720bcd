"""What can be written at a place: keys a section still lacks, and values a key takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from shardlint.schema.key import Key
from shardlint.schema.releases import Releases, arrived, exists, gone
from shardlint.schema.snippets import key_snippet, value_text
from shardlint.schema.table import Table, table
from shardlint.syntax.keypath import KeyPath
from shardlint.syntax.tree import Mapping, Sequence
from shardlint.syntax.view import View, follow

KEY, VALUE = "key", "value"


class Completion(NamedTuple):
    """One proposal. `insert` is a snippet (`$1`, `${1:text}`, `${1|a,b|}`) in the language of the document.

    `kind` is key or value, `detail` a short note, `path` the key it is about (see `describe`).
    `deprecated`: there is a newer way to write it.
    """

    label: str
    kind: str
    insert: str
    detail: str
    path: KeyPath
    deprecated: bool = False


FILLERS = ("hf-trainer", "accelerate")
"""The readers that put a value in the place of `auto`."""


class Site(NamedTuple):
    """Where something is to be written: a document, and how the table of its keys lies in it.

    `base` is the path of the table in the document: `("deepspeed",)` for a config among the arguments of
    the Trainer. `style` is how the place is written: json, toml, yaml, or flow for YAML inside braces; empty
    for the language of the document. `fillers` are those of FILLERS that may read the file.
    """

    view: View
    base: KeyPath = ()
    style: str = ""
    versions: Releases | None = None
    fillers: tuple[str, ...] = FILLERS

    @property
    def language(self) -> str:
        return self.style or self.view.document.language


def complete(stack: str, site: Site, path: KeyPath) -> tuple[Completion, ...]:
    """Keys of the section at `path`, where it is one in the document or in the table; else values of the key.

    `stack` is a name `table` takes and `path` is relative to that table. Keys and words that no release in
    `site.versions` has are left out.
    """
    here = table(stack)
    entry = site.view.get(*site.base, *path) if path else None
    node = follow(entry.node) if entry is not None else None
    key = here.find(path)
    empty_section = key is not None and key.is_section and not isinstance(node, Sequence)
    if not path or isinstance(node, Mapping) or (empty_section and here.names(path)):
        return tuple(_keys(here, site, path))
    return tuple(_values(here, site, path))


def applicable(here: Table, site: Site, path: KeyPath | str) -> Key | None:
    """The row of a key that the document does not rule out: of several, the one whose condition it states."""
    return _fitting(here, site, here.variants(path))


def _fitting(here: Table, site: Site, variants: tuple[Key, ...]) -> Key | None:
    rows = [row for row in variants if _fits(here, site, row) is not False]
    return next((row for row in rows if row.when and _fits(here, site, row)), rows[0] if rows else None)


def _fits(here: Table, site: Site, row: Key) -> bool | None:
    """Whether the condition of a row holds; None where the document does not say."""
    condition = row.condition()
    if condition is None:
        return True
    path = condition.path.removeprefix(f"{here.root}.") if here.root else condition.path
    stated = site.view.value(*site.base, *path.split("."))
    if stated is None:
        return None
    return condition.holds(str(stated))


def _keys(here: Table, site: Site, path: KeyPath) -> Iterator[Completion]:
    present = {entry.name for entry in site.view.entries(*site.base, *path)}
    for rows in here.child_variants(path):
        name, alias = rows[0].name, rows[0].alias
        if name[:1] in ("<", "[") or name in present or (alias and alias in present):
            continue
        key = _fitting(here, site, rows)
        if key is None or key.removed or not exists(key, site.versions):
            continue
        yield Completion(
            name,
            KEY,
            key_snippet(key, site.language, _usable(key, site)),
            key.type.replace("|", " or "),
            (*path, name),
            bool(key.replaced) or key.effective == "nowhere",
        )


def _values(here: Table, site: Site, path: KeyPath) -> Iterator[Completion]:
    key = applicable(here, site, path)
    if key is None:
        return
    for value in _usable(key, site):
        shown = value if isinstance(value, str) else json.dumps(value)
        detail = "default" if json.dumps(value) in (key.default, f'"{key.default}"') else ""
        yield Completion(shown, VALUE, value_text(value, site.language), detail, path)


def _usable(key: Key, site: Site) -> tuple[object, ...]:
    """The values worth proposing: words, true and false, a default that is a number, and auto where it is
    taken."""
    found: list[object] = []
    for word in key.words:
        if arrived(site.versions, word.since) and not word.removed and not gone(site.versions, word.removed):
            number = word.text.lstrip("-").isdigit() and "int" in key.types
            found.append(int(word.text) if number else word.text)
    if "bool" in key.types and not key.words:
        found += [True, False]
    if not found and {"int", "float"} & set(key.types):
        found += _number(key.default)
    if _takes_auto(key, site.fillers) and "auto" not in found:
        found.append("auto")
    return tuple(found)


def _takes_auto(key: Key, fillers: tuple[str, ...]) -> bool:
    return "auto" in key.types or any(reader not in FILLERS or reader in fillers for reader in key.auto)


def _number(text: str) -> list[object]:
    try:
        number = json.loads(text) if text else None
    except ValueError:
        return []
    return [number] if isinstance(number, int | float) and not isinstance(number, bool) else []
