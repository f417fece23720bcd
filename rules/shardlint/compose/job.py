"""Job: an entry file, what it refers to, who consumes it, and the plans it runs."""

from __future__ import annotations

from typing import NamedTuple

from shardlint.formats.reading import Reading, Reference
from shardlint.plan import Fact, TrainingPlan
from shardlint.settings import Settings


class Link(NamedTuple):
    """A reference and what became of it: the reading it leads to, or the paths that were tried.

    `found` is the path a target resolved to even where the file there is no config we know.
    """

    source: Reading
    reference: Reference
    target: Reading | None
    found: str | None = None
    tried: tuple[str, ...] = ()


class Job(NamedTuple):
    """An entry file, what it refers to, and who consumes it, with the plans it runs (one a role).

    `consumer.value` is deepspeed, accelerate, hf-trainer ...; standing `assumed` when no file or setting
    says so. The entry is the first of `readings`.
    """

    id: str
    entry: Reading
    readings: tuple[Reading, ...]
    links: tuple[Link, ...]
    consumer: Fact[str]
    settings: Settings
    plans: tuple[TrainingPlan, ...] = ()

    def reading(self, *formats: str) -> Reading | None:
        """The first file of the job that has one of these formats."""
        return next((r for r in self.readings if r.format.name in formats), None)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(reading.name for reading in self.readings)
