"""Keys of a DeepSpeed file and the keys of other files they are filled from or compared with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shardlint.compose.job import Job
from shardlint.formats.reading import Reading
from shardlint.schema.fills import fills
from shardlint.syntax.view import Entry
from shardlint_lsp.tree import holds

SOURCES = {"hf-trainer": "hf-args", "accelerate": "accelerate"}
"""Who fills a key -> the format of the file that is filled from."""


class Join(NamedTuple):
    """`filled` is the key of the DeepSpeed file, `source` the key it is joined with."""

    filled: Entry
    source: Entry


def joins(job: Job) -> Iterator[Join]:
    """The keys of a job's files that are evidently joined: both are written."""
    engines = [reading for reading in job.readings if reading.format.name == "deepspeed"]
    for consumer, format in SOURCES.items():
        source = job.reading(format)
        if source is not None:
            for engine in engines:
                yield from _between(engine, source, consumer)


def stands_on(entry: Entry, name: str, offset: int) -> bool:
    """Whether an offset of the file `name` is on the key or the value of an entry."""
    own = entry.view.document.name == name
    return own and (holds(entry.key_span, offset) or holds(entry.value_span, offset))


def _between(engine: Reading, source: Reading, consumer: str) -> Iterator[Join]:
    for path, fill in fills(consumer).items():
        filled = engine.view.get(*path.split("."))
        if filled is None:
            continue
        for word in dict.fromkeys(re.findall(r"[a-z]\w+", fill.source)):
            found = source.view.get(word) or source.view.get("deepspeed_config", word)
            if found is not None:
                yield Join(filled, found)
