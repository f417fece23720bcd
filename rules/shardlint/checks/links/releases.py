"""The packages whose releases decide what the files of a job mean."""

from __future__ import annotations

from shardlint.compose import Job
from shardlint.settings.versions import PROPER

READ_BY = {
    "deepspeed": "deepspeed",
    "accelerate": "accelerate",
    "hf-args": "transformers",
    "fsdp": "transformers",
}
"""The package that reads a format."""


def packages_of(job: Job) -> tuple[str, ...]:
    """The packages that read the files of a job, each once."""
    found = (READ_BY.get(reading.format.name) for reading in job.readings)
    return tuple(dict.fromkeys(package for package in found if package is not None))


def proper(package: str) -> str:
    """The name of a package in a sentence."""
    return PROPER.get(package, package)
