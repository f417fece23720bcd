"""Who asks for activation checkpointing: the training arguments, the FSDP section."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.checks.judging import is_on
from shardlint.checks.sharding.accelerate import fsdp_entry, runs

if TYPE_CHECKING:
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.syntax.view import Entry

REGATHERS = ("FULL_SHARD", "HYBRID_SHARD")
"""Strategies that free a unit after its forward pass."""

KEY = "activation_checkpointing"


class Asked(NamedTuple):
    reading: Reading
    entry: Entry


def asked_by_trainer(job: Job) -> Asked | None:
    """The training argument, where it is true; `activation_checkpointing` is its name since 5.x."""
    reading = job.reading("hf-args")
    if reading is None:
        return None
    for name in ("gradient_checkpointing", KEY):
        entry = reading.view.get(name)
        if entry is not None and is_on(entry):
            return Asked(reading, entry)
    return None


def asked_of_fsdp(job: Job) -> Asked | None:
    """`activation_checkpointing` of the FSDP section, whatever it says; None where it is absent."""
    for reading in job.readings:
        if runs(reading, "FSDP"):
            entry = fsdp_entry(reading, KEY)
            if entry is not None:
                return Asked(reading, entry)
        elif reading.format.name in ("hf-args", "fsdp"):
            bases = (("fsdp_config",),) if reading.format.name == "hf-args" else (("fsdp_config",), ())
            for base in bases:
                for name in (KEY, f"fsdp_{KEY}"):
                    entry = reading.view.get(*base, name)
                    if entry is not None and entry.value is not None:
                        return Asked(reading, entry)
    return None
