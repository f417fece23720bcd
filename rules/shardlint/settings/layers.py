"""Facts by where they were set: the layer that is nearer to the run wins."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingType
from typing import NamedTuple, TypeAlias

from shardlint.plan import Fact

FLAG, PRAGMA, EDITOR, JOB, FILE, FACTS = range(6)
"""Who said it, the strongest first."""

Values: TypeAlias = MappingType[str, Fact[object]]


class Layer(NamedTuple):
    rank: int
    values: Values


def find(layers: Iterable[Layer], name: str) -> tuple[int, Fact[object]] | None:
    """The strongest layer that states a name, and what it states; layers come strongest first."""
    for rank, values in layers:
        fact = values.get(name)
        if fact is not None:
            return rank, fact
    return None


def stacked(layers: Iterable[Layer], more: Iterable[Layer]) -> tuple[Layer, ...]:
    """Both, strongest first; of two layers of one rank the one added later is the stronger."""
    return tuple(sorted((*reversed([*more]), *layers), key=lambda layer: layer.rank))
