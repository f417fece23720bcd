"""How the sharding rules read accelerate's file: sections, optional prefixes, defaults.

Source: accelerate 1.15 `commands/launch.py` copies `fsdp_config` items with the prefix added where it is
missing and `parallelism_config` items only under their full name; `utils/launch.py` gives `fsdp_version` the
default 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import whole, word
from shardlint.checks.keys.activity import COPIED, ruled_out
from shardlint.checks.support import at_missing, at_value, related
from shardlint.schema import table

if TYPE_CHECKING:
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Related
    from shardlint.syntax.view import Entry


SEVERAL_DEVICES = (
    "MULTI_GPU",
    "MULTI_NPU",
    "MULTI_MLU",
    "MULTI_SDAA",
    "MULTI_MUSA",
    "MULTI_XPU",
    "MULTI_HPU",
    "MULTI_NEURON",
)
"""The distributed types of plain data parallelism over accelerators."""


FSDP2_SINCE = "1.6.0"
"""The first accelerate that reads fsdp_version."""


def runs(reading: Reading, distributed_type: str) -> bool:
    """Whether this is an accelerate file of that distributed type."""
    return reading.format.name == "accelerate" and reading.view.value("distributed_type") == distributed_type


def written(reading: Reading, name: str) -> Entry | None:
    """A key of `fsdp_config`, with or without the prefix `fsdp_`; of the two spellings the later one.

    The launcher also takes the long name from the sections whose keys it copies as they are.
    """
    places = [("fsdp_config", f"fsdp_{name}"), ("fsdp_config", name)]
    found = [entry for place in places if (entry := reading.view.get(*place)) is not None]
    found = found or [e for one in COPIED if (e := reading.view.get(one, f"fsdp_{name}")) is not None]
    return max(found, key=lambda entry: entry.key_span.start, default=None)


def fsdp_entry(reading: Reading, name: str) -> Entry | None:
    """A key of `fsdp_config` that has a value; null counts as not there."""
    entry = written(reading, name)
    return entry if entry is not None and entry.value is not None else None


def fsdp_version(reading: Reading, job: Job) -> int | None:
    """1 or 2; None where the value cannot be read. 1 where no accelerate that may be installed has 2."""
    entry = fsdp_entry(reading, "version")
    if entry is None or job.settings.versions("accelerate").none_at_least(FSDP2_SINCE):
        return 1
    return whole(entry)


def knows_fsdp2(job: Job) -> bool:
    """Whether the accelerate of this job reads fsdp_version. A file that asks for version 2 is written for
    one that does; only what settings or project files say of accelerate speaks against it."""
    versions = job.settings.versions("accelerate")
    return not versions.known or versions.all_at_least(FSDP2_SINCE)


def at_version(reading: Reading) -> tuple[Related, ...]:
    """Where the version is given, or should be."""
    entry, section = fsdp_entry(reading, "version"), reading.view.get("fsdp_config")
    if entry is not None:
        return related(at_value(reading, entry), "the version is given here")
    absent = "fsdp_version" if section is not None else "fsdp_config"
    return related(at_missing(reading, section, absent), "the version is not given here")


def at_kind(reading: Reading) -> tuple[Related, ...]:
    """Where the distributed type is given."""
    entry = reading.view.get("distributed_type")
    return related(at_value(reading, entry), "the kind of job is given here") if entry is not None else ()


def config_file(reading: Reading) -> Entry | None:
    """deepspeed_config_file where it names a file: null and the word none, in just these letters, do not."""
    entry = reading.view.get("deepspeed_config", "deepspeed_config_file")
    return None if entry is None or entry.value in (None, "none") else entry


def fsdp_word(reading: Reading, name: str) -> str | None:
    return word(fsdp_entry(reading, name))


def degree(reading: Reading, name: str) -> int | None:
    """A size of `parallelism_config`: 1 where it is absent, None where it or the section is not read."""
    section = table("accelerate").find("parallelism_config")
    if section is None or ruled_out(reading, section) is not None:
        return None
    entry = reading.view.get("parallelism_config", f"parallelism_config_{name}_size")
    return 1 if entry is None or entry.value is None else whole(entry)


def degrees(reading: Reading, *names: str) -> dict[str, int] | None:
    """Several sizes, or None where one of them cannot be read or is below 1."""
    sizes = {name: degree(reading, name) for name in names}
    return (
        {name: size for name, size in sizes.items() if size}
        if all((s or 0) > 0 for s in sizes.values())
        else None
    )


def processes(reading: Reading) -> Entry | None:
    return reading.view.get("num_processes")
