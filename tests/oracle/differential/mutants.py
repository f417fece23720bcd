"""What a mutant is, and how many of which kind are made."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from oracle.differential.seeds import Seed
from oracle.differential.texts import Pairs, Path, copied, paths, read, write

DEPTH = 2
"""Sections deeper than this count as part of the one above."""

PATIENCE = 60
"""So many draws without a new mutant, and a section has no more to give."""


class Change(NamedTuple):
    """What was done to a tree: the key it was done to, where it stands now, others it clashes with."""

    path: Path
    note: str
    partners: tuple[Path, ...] = ()


class Mutant(NamedTuple):
    """A changed text. `path` and `partners` are where an error about the change may stand."""

    kind: str
    section: str
    seed: Seed
    text: str
    path: Path
    partners: tuple[Path, ...]
    note: str


Decides = Callable[[Pairs], bool]
"""Whether a config alone decides what becomes of it."""

Mutate = Callable[[random.Random, Pairs, Path], "Change | None"]
"""Changes the tree at one of its keys; None where that key does not lend itself to it."""


class Kind(NamedTuple):
    """A way to change a config. `sections` are the sections it can be done in, by framework; empty: all."""

    name: str
    mutate: Mutate
    own_sections: Callable[[str], list[str]] | None = None


def section_of(path: Path) -> str:
    return ".".join(path[:-1][:DEPTH])


def mutants(kinds: list[Kind], seeds: list[Seed], count: int, seed: int, decides: Decides) -> list[Mutant]:
    """Equal shares of every kind, and within a kind of every section, as far as they reach."""
    pick = random.Random(seed)
    found: list[Mutant] = []
    texts = {one.text for one in seeds}
    for at, kind in enumerate(kinds):
        share = (count + at) // len(kinds)
        found += _share(pick, kind, seeds, share, texts, decides)
    return found


def _share(
    pick: random.Random, kind: Kind, seeds: list[Seed], count: int, texts: set[str], decides: Decides
) -> list[Mutant]:
    trees = {one.name: read(one.text, one.language) for one in seeds}
    sites = _sites(kind, seeds, trees)
    found: list[Mutant] = []
    open_sections = sorted(sites)
    while open_sections and len(found) < count:
        for section in list(open_sections):
            mutant = _fresh(pick, kind, section, sites[section], trees, texts, decides)
            if mutant is None:
                open_sections.remove(section)
            elif len(found) < count:
                found.append(mutant)
    return found


def _sites(kind: Kind, seeds: list[Seed], trees: dict[str, Pairs]) -> dict[str, list[tuple[Seed, Path]]]:
    """Where a kind may be tried, by section: a seed and one of its keys, or a name of the kind's own."""
    sites: dict[str, list[tuple[Seed, Path]]] = {}
    for one in seeds:
        if kind.own_sections is not None:
            for name in kind.own_sections(one.framework):
                sites.setdefault(name, []).append((one, (name,)))
            continue
        for path in paths(trees[one.name]):
            sites.setdefault(section_of(path), []).append((one, path))
    return sites


def _fresh(
    pick: random.Random,
    kind: Kind,
    section: str,
    sites: list[tuple[Seed, Path]],
    trees: dict[str, Pairs],
    texts: set[str],
    decides: Decides,
) -> Mutant | None:
    for _ in range(PATIENCE):
        one, path = pick.choice(sites)
        tree = copied(trees[one.name])
        change = kind.mutate(pick, tree, path)
        if change is None or not decides(tree):
            continue
        text = write(tree, one.language)
        if text not in texts:
            texts.add(text)
            return Mutant(kind.name, section, one, text, change.path, change.partners, change.note)
    return None


def of_kind(found: list[Mutant]) -> Iterator[tuple[str, list[Mutant]]]:
    names = dict.fromkeys(mutant.kind for mutant in found)
    for name in names:
        yield name, [mutant for mutant in found if mutant.kind == name]
