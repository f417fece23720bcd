"""A DeepSpeed config as its rules ask it: what holds, defaults included, and how a refusal is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.checks.judging import refused, whole
from shardlint.checks.keys.reader import ALL, NONE, agreement, certain_refusal, span_of_releases
from shardlint.checks.support import at_missing, at_value
from shardlint.formats.reading import is_open
from shardlint.formats.values import lax_number, lax_switch
from shardlint.report import Place, Related
from shardlint.schema import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding, Fix
    from shardlint.syntax.view import Entry, Value

ZERO = "zero_optimization"
OFF_DEVICE = ("cpu", "nvme")

DROPS_AUTO = ("zero_optimization", "fp16", "bf16", "bfloat16")
"""Sections from which DeepSpeed drops a key whose value is `auto`, so that its default applies."""

_DEEDS = {
    "config": "DeepSpeed refuses to start",
    "engine": "DeepSpeed refuses to build the engine",
    "first step": "DeepSpeed fails at the first step",
}
_WHEN = {"config": "", "engine": " when the engine is built", "first step": " at the first step"}


class Config(NamedTuple):
    """A DeepSpeed config where it stands: a file of its own, or the `deepspeed` key of arguments.

    `number`, `switch` and `word` give the value that holds: the default where the key is absent or null,
    and None where a placeholder, an `auto` or a value of another type leaves it unknown.
    """

    reading: Reading
    job: Job
    base: tuple[str, ...]

    def get(self, *path: str) -> Entry | None:
        """The entry of a key that is there and not null, nor an `auto` that DeepSpeed drops."""
        entry = self.reading.view.get(*self.base, *path)
        if entry is None or entry.value is None:
            return None
        dropped = entry.value == "auto" and path[0] in DROPS_AUTO and len(path) > 1 and self.alone
        return None if dropped else entry

    @property
    def alone(self) -> bool:
        """Whether it is certain that DeepSpeed reads the file itself, and no front end fills it in."""
        return self.job.consumer.certain and self.job.consumer.value == "deepspeed"

    def place(self, *path: str) -> Place:
        """The value at a path, or the nearest section above it, which lacks the key."""
        entry = self.get(*path)
        if entry is not None:
            return at_value(self.reading, entry)
        above = next((e for at in range(len(path) - 1, 0, -1) if (e := self.get(*path[:at]))), None)
        return at_missing(self.reading, above or self.reading.view.get(*self.base), path[-1])

    def number(self, default: float, *path: str) -> float | None:
        value = self._value(path)
        return default if value is None else lax_number(value)

    def switch(self, default: bool, *path: str) -> bool | None:
        value = self._value(path)
        return default if value is None else lax_switch(value)

    def word(self, default: str, *path: str) -> str | None:
        value = self._value(path)
        if value is None:
            return default
        return value if isinstance(value, str) and not is_open(value) else None

    def on(self, *path: str) -> bool:
        """Whether the file itself switches a key on."""
        return self.switch(False, *path) is True

    def off(self, *path: str) -> bool:
        """Whether the file itself switches off a key that is on by default."""
        return self.switch(True, *path) is False

    @property
    def stage(self) -> int | None:
        """The ZeRO stage; 0 where the file has none."""
        section = self.get(ZERO)
        if section is not None and isinstance(section.value, bool):
            return int(section.value)
        if section is None or isinstance(section.value, dict):
            entry = self.get(ZERO, "stage")
            stage = 0 if entry is None else whole(entry)
            return stage if stage in (0, 1, 2, 3) else None
        return None

    @property
    def bf16(self) -> str:
        """The name under which the bf16 section is read."""
        return "bf16" if self.get("bf16") is not None or self.get("bfloat16") is None else "bfloat16"

    @property
    def dtype(self) -> str | None:
        """The dtype of the weights in the engine: fp16, bf16 or fp32."""
        half = {
            "fp16": self.switch(False, "fp16", "enabled"),
            "bf16": self.switch(False, self.bf16, "enabled"),
        }
        if None in half.values() or all(half.values()):
            return None
        return next((name for name, on in half.items() if on), "fp32")

    @property
    def offload_optimizer(self) -> str | None:
        """Where the optimizer states go: none, cpu or nvme."""
        old = self.switch(False, ZERO, "cpu_offload")
        device = self.word("none", ZERO, "offload_optimizer", "device")
        return "cpu" if old and device == "none" else (None if old is None else device)

    def related(self, message: str, *path: str) -> tuple[Related, ...]:
        entry = self.get(*path)
        return () if entry is None else (Related(at_value(self.reading, entry), message),)

    def _value(self, path: tuple[str, ...]) -> Value | None:
        """The value, None for an absent or null one; `auto` and text for a section leave it open."""
        for at in range(1, len(path)):
            section = self.get(*path[:at])
            if section is None:
                return None
            if not isinstance(section.value, dict):
                return "auto"
        entry = self.get(*path)
        return None if entry is None else entry.value


def config_of(reading: Reading, job: Job) -> Config | None:
    """The DeepSpeed config a file is or holds."""
    if reading.format.name == "deepspeed":
        return Config(reading, job, ())
    inline = reading.view.get("deepspeed") if reading.format.name == "hf-args" else None
    return Config(reading, job, ("deepspeed",)) if inline and isinstance(inline.value, dict) else None


def refuses(
    config: Config,
    place: Place,
    what: str,
    stage: str,
    *,
    since: str = "",
    until: str = "",
    help: str | None = None,
    others: tuple[Related, ...] = (),
    fixes: tuple[Fix, ...] = (),
) -> Iterator[Finding]:
    """What DeepSpeed refuses at a stage: an error where every possible release does and certainly gets there.

    `since` and `until` are the first release that refuses it and the first that no longer does.
    """
    shared = agreement(config.job, "deepspeed", since, until)
    if shared == NONE:
        return
    assumes: list[str] = []
    if shared != ALL:
        assumes.append("the releases that may be installed do not agree; set versions.deepspeed")
    if not certain_refusal(config.reading, config.job, "config"):
        assumes.append("no file or setting says who reads this file")
    releases = f"refused by {span_of_releases(table('deepspeed'), since, until)}{_WHEN[stage]}"
    yield refused(
        f"{what}; {_DEEDS[stage] if shared == ALL else releases}",
        place,
        stage,
        not assumes,
        help=help,
        related=others,
        fixes=fixes,
        assumes=tuple(assumes),
    )
