"""Which offload keys a file holds, at which ZeRO stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.checks.judging import is_on, whole, word
from shardlint.checks.sharding.accelerate import runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.syntax.view import Entry

DEVICES = ("cpu", "nvme")
OLD_SWITCH = {"offload_param": "cpu_offload_param", "offload_optimizer": "cpu_offload"}


class Offload(NamedTuple):
    """An offload that is switched on: the key it stands at, its device, the stage of the same file."""

    entry: Entry
    device: str
    stage: int
    stage_entry: Entry | None


def offloads(reading: Reading, name: str) -> Iterator[Offload]:
    """Where `offload_param` or `offload_optimizer` is on; nothing where the stage cannot be read."""
    if reading.format.name == "deepspeed":
        yield from _in_deepspeed(reading, name)
    elif runs(reading, "DEEPSPEED"):
        entry = reading.view.get("deepspeed_config", f"{name}_device")
        stage_entry = reading.view.get("deepspeed_config", "zero_stage")
        stage = 2 if stage_entry is None else whole(stage_entry)
        device = word(entry)
        if entry is not None and device in DEVICES and stage is not None:
            yield Offload(entry, device, stage, stage_entry)


def _in_deepspeed(reading: Reading, name: str) -> Iterator[Offload]:
    stage_entry = reading.view.get("zero_optimization", "stage")
    stage = 0 if stage_entry is None else whole(stage_entry)
    if stage is None:
        return
    entry, old = (
        reading.view.get("zero_optimization", name),
        reading.view.get("zero_optimization", OLD_SWITCH[name]),
    )
    device = word(reading.view.get("zero_optimization", name, "device"))
    if entry is not None and device in DEVICES:
        yield Offload(entry, device, stage, stage_entry)
    elif old is not None and is_on(old):
        yield Offload(old, "cpu", stage, stage_entry)
