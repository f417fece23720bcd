"""What is asked of a framework, and what it answers. Imported by the workers, so it knows nothing else."""

from __future__ import annotations

from typing import Any, NamedTuple

LAYERS = ("load", "launch", "config", "engine")
"""How far the framework goes, in order; a layer includes the ones before it."""


class Question(NamedTuple):
    """Whether the framework takes `files[target]` (texts by name), with `world` ranks, up to `layer`."""

    files: dict[str, str]
    target: str
    world: int
    layer: str


class Answer(NamedTuple):
    """`refused` is the layer at which the framework raised, or None. `broken` says that asking failed."""

    refused: str | None
    error: str = ""
    message: str = ""
    broken: str = ""


def to_line(record: Question | Answer) -> dict[str, Any]:
    return record._asdict()


def within(layer: str, limit: str) -> bool:
    """Whether a layer is not beyond another."""
    return layer in LAYERS and LAYERS.index(layer) <= LAYERS.index(limit)
