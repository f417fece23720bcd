"""The optimizer of a DeepSpeed file, and the one the program brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.checks.deepspeed import OFF_DEVICE
from shardlint.checks.judging import HF_READERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.checks.deepspeed import Config
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.syntax.view import Entry

DEEPSPEED_NAMES = frozenset(
    [
        "adam",
        "adamw",
        "lamb",
        "lion",
        "adagrad",
        "muadam",
        "muadamw",
        "musgd",
        "muon",
        "onebitadam",
        "zerooneadam",
        "onebitlamb",
    ]
)
"""Names DeepSpeed compares in lower case; any other is looked up in torch.optim as it is written."""


BUILDERS = ("deepspeed", *HF_READERS)
"""Consumers that leave the optimizer of the file to DeepSpeed; others may build it from the same keys."""


def left_to_deepspeed(job: Job) -> bool:
    """Whether nothing speaks against DeepSpeed building the optimizer the file names."""
    return not job.consumer.certain or job.consumer.value in BUILDERS


def checks_its_arguments(config: Config) -> bool:
    """Whether the constructor looks at its numbers: those of torch and of DeepSpeed on the host do, the
    fused ones meet them at the first step."""
    kind = config.word("", "optimizer", "type") or ""
    of_torch = kind.lower() not in DEEPSPEED_NAMES or config.on("optimizer", "params", "torch_adam")
    return of_torch or config.offload_optimizer in OFF_DEVICE


def no_optimizer(config: Config) -> bool:
    """Whether the engine certainly gets no optimizer, neither from the file nor from the program."""
    if config.job.settings.fact("code.builds_optimizer").value is not False:
        return False
    section = config.get("optimizer")
    if section is not None and not isinstance(section.value, dict):
        return False
    return config.get("optimizer", "type") is None


class Stated(NamedTuple):
    """The `optimizer.type` of a DeepSpeed file."""

    reading: Reading
    entry: Entry
    name: str


def stated(job: Job) -> Iterator[Stated]:
    """The optimizer each DeepSpeed file names, where the program is not known to bring its own."""
    if job.settings.fact("code.optimizer").known:
        return
    for reading in job.readings:
        if reading.format.name == "deepspeed":
            entry = reading.view.get("optimizer", "type")
            if entry is not None and isinstance(entry.value, str) and entry.value != "auto":
                yield Stated(reading, entry, entry.value)
