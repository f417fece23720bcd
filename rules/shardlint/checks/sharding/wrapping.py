"""Which layer classes a job's files tell FSDP to wrap, and which the model has.

Source: accelerate 1.15 `FullyShardedDataParallelPlugin.set_auto_wrap_policy` splits the text at commas,
does not strip the parts, and raises for a name no module of the model has. The Trainer joins its list the
same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_word, runs
from shardlint.formats.values import texts
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.catalog.layers import Blocks
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.plan import TrainingPlan
    from shardlint.syntax.view import Entry

KEY = "transformer_layer_cls_to_wrap"


class Wrapped(NamedTuple):
    """A list of layer classes: the file, the key it stands at, the names."""

    reading: Reading
    entry: Entry
    names: tuple[str, ...]


def wrapped(job: Job) -> Iterator[Wrapped]:
    """Every list of classes that is read: accelerate's with the transformer policy, the Trainer's always."""
    for reading in job.readings:
        if runs(reading, "FSDP"):
            entry = fsdp_entry(reading, KEY)
            policy = fsdp_word(reading, "auto_wrap_policy")
            if entry is not None and policy == "transformer_based_wrap":
                yield from _list(reading, entry)
        elif reading.format.name in ("hf-args", "fsdp"):
            for base in (("fsdp_config",), ()):
                for name in (KEY, f"fsdp_{KEY}"):
                    entry = reading.view.get(*base, name)
                    if entry is not None and entry.value is not None:
                        yield from _list(reading, entry)


def _list(reading: Reading, entry: Entry) -> Iterator[Wrapped]:
    value = entry.value
    if isinstance(value, str):
        yield Wrapped(reading, entry, tuple(value.split(",")))
    elif isinstance(value, list) and not any(isinstance(item, Template) for item in value):
        yield Wrapped(reading, entry, tuple(texts(value) or ()))


def blocks(plan: TrainingPlan) -> Blocks | None:
    """The repeated blocks of the model's type; None where it is not known, or the class the user's own."""
    from shardlint.catalog.layers import blocks_of

    kind = plan.option("model.type").value
    if not isinstance(kind, str) or plan.option("model.custom").value is True:
        return None
    return blocks_of(kind)


def main_layer(plan: TrainingPlan) -> str | None:
    """The class of the model's decoder layer: as the settings say, else from the table."""
    from shardlint.catalog.layers import main_block

    stated = plan.option("model.layer_class").value
    if isinstance(stated, str):
        return stated
    found = blocks(plan)
    return main_block(found) if found is not None else None
