"""Who reads the files of a job, and by which loader."""

from __future__ import annotations

from collections.abc import Sequence

from shardlint.compose.shelf import Shelf
from shardlint.formats.reading import Reading
from shardlint.plan import Fact
from shardlint.settings import Settings

STRICT_READERS = frozenset(
    {"hf-trainer", "accelerate", "trl", "axolotl", "llamafactory", "llama-factory", "swift"}
)
"""Consumers that load a DeepSpeed file with Python's json; DeepSpeed itself and the rest use hjson."""

ANNOUNCE = ("hf-args", "fsdp", "accelerate")
"""Formats that only one consumer reads, the outermost first."""


def consumer_of(readings: Sequence[Reading], settings: Settings, shelf: Shelf) -> Fact[str]:
    """From settings, else from a file only one consumer reads, else what the first file suggests, else what
    stands near a DeepSpeed file."""
    stated = settings.text("consumer")
    if stated.known:
        return stated.meaning(stated.get("").strip().lower())
    for name in ANNOUNCE:
        for reading in readings:
            if reading.format.name == name and reading.consumer.known:
                return reading.consumer
    first = readings[0]
    if first.consumer.known or first.format.name != "deepspeed":
        return first.consumer
    from shardlint.compose.neighbours import consumer_near

    return consumer_near(first, shelf) or first.consumer


def read_for(reading: Reading, consumer: Fact[str]) -> Reading:
    """The reading as the consumer's own loader gives it."""
    if reading.format.name != "deepspeed" or reading.document.language != "json":
        return reading
    from shardlint.syntax.dialects.hjson import HJSON
    from shardlint.syntax.dialects.strict_json import STRICT_JSON

    dialect = STRICT_JSON if consumer.value in STRICT_READERS else HJSON
    return reading if reading.view.dialect is dialect else reading.read_by(dialect)
