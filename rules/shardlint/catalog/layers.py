"""The repeated blocks of a model type by class name: what a wrap policy may name."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from shardlint.catalog.tables import rows


class Blocks(NamedTuple):
    """Block classes of a model type, the main one first. `composite`: blocks of other types may be inside."""

    type: str
    names: tuple[str, ...]
    composite: bool


def blocks_of(model_type: str) -> Blocks | None:
    """The blocks of a `model_type`; None for a type the table does not hold."""
    return _by_type().get(model_type.strip().lower())


def types_with(class_name: str) -> tuple[str, ...]:
    """The model types that have a block class of exactly this name."""
    return _by_class().get(class_name, ())


def main_block(blocks: Blocks) -> str | None:
    """The class to wrap for a text model: its decoder layer, else its first block."""
    decoders = [name for name in blocks.names if "Vision" not in name and "Encoder" not in name]
    return next(iter(decoders or blocks.names), None)


@cache
def _by_type() -> dict[str, Blocks]:
    return {
        row["type"]: Blocks(row["type"], tuple(row["blocks"].split()), row["composite"] == "yes")
        for row in rows("layers.tsv")
    }


@cache
def _by_class() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for blocks in _by_type().values():
        for name in blocks.names:
            found[name] = (*found.get(name, ()), blocks.type)
    return found
