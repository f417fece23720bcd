"""How the Trainer reads its `fsdp` word list and `fsdp_config`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import whole
from shardlint.formats.values import texts

if TYPE_CHECKING:
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.syntax.view import Entry

DEFAULT_2_SINCE = "5.10.0"
"""transformers release from which an `fsdp_config` without a version means version 2."""


def chosen(entry: Entry) -> list[str]:
    """The words of `fsdp`, in lower case: `full_shard auto_wrap`, or a list."""
    value = entry.value
    words = value.replace(",", " ").split() if isinstance(value, str) else texts(value) or []
    return [name.lower() for name in words]


def config(reading: Reading, name: str) -> Entry | None:
    """A key of the Trainer's `fsdp_config`, in the arguments or in a file of its own; null is not there."""
    bases: tuple[tuple[str, ...], ...] = (("fsdp_config",),)
    if reading.format.name == "fsdp":
        bases = (("fsdp_config",), ())
    for base in bases:
        for key in (name, f"fsdp_{name}"):
            entry = reading.view.get(*base, key)
            if entry is not None and entry.value is not None:
                return entry
    return None


def fsdp_version(reading: Reading, job: Job) -> int | None:
    """1 or 2 as stated, or the default of the releases that may be installed; None where they differ."""
    entry = config(reading, "version")
    if entry is not None:
        return whole(entry)
    versions = job.settings.versions("transformers")
    if versions.all_at_least(DEFAULT_2_SINCE):
        return 2
    return 1 if versions.none_at_least(DEFAULT_2_SINCE) else None
