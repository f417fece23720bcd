"""Who reads a file, which of its releases agree, and how a refusal is worded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.report import WARNING, Finding, Fix, Place
from shardlint.schema import Table
from shardlint.syntax.keypath import render
from shardlint.syntax.tree import Scalar
from shardlint.syntax.view import Entry

if TYPE_CHECKING:
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading

ALL, SOME, NONE = "all", "some", "none"
LONGEST_VALUE = 40

_PACKAGE = {"deepspeed": "deepspeed", "accelerate": "accelerate", "hf-trainer": "transformers"}
_PROPER = {"deepspeed": "DeepSpeed", "accelerate": "accelerate", "hf-trainer": "the Trainer"}
_CONSEQUENCE = {
    "load": "refuses to load the file",
    "launch": "refuses to launch",
    "config": "refuses to start",
    "engine": "fails when the engine is built",
    "first step": "fails at the first step",
}


def name_of(here: Table) -> str:
    """The reader of a table's files, for the middle of a sentence."""
    return _PROPER[here.stack]


def package_of(here: Table) -> str:
    return _PACKAGE[here.stack]


def fails(here: Table, stage: str) -> str:
    """`DeepSpeed refuses to start`, `accelerate fails at the first step`."""
    return f"{name_of(here)} {_CONSEQUENCE[stage]}"


def certain_reader(reading: Reading, job: Job) -> bool:
    """Whether it is known, not assumed, that the stack of the file's own format reads it."""
    if reading.format.name == "accelerate":
        return True
    return job.consumer.certain and job.consumer.value != "custom"


def certain_refusal(reading: Reading, job: Job, stage: str) -> bool:
    """Whether the stack of the file's format certainly comes to that stage with this file.

    Every front end hands a DeepSpeed file to DeepSpeedConfig, so what that refuses is refused whoever reads
    the file first; an assumed front end may change values before.
    """
    handed_on = reading.format.name == "deepspeed" and stage == "config" and job.consumer.value is None
    return handed_on or certain_reader(reading, job)


def agreement(job: Job, package: str, since: str = "", until: str = "") -> str:
    """How many of the possible releases are `since` one or later, or older than `until`: ALL, SOME, NONE.

    Without either limit all are.
    """
    if not since and not until:
        return ALL
    versions = job.settings.versions(package)
    if (since and versions.all_at_least(since)) or (until and versions.none_at_least(until)):
        return ALL
    late = bool(since) and versions.some_at_least(since)
    early = bool(until) and not versions.all_at_least(until)
    return SOME if late or early else NONE


def span_of_releases(here: Table, since: str, until: str = "") -> str:
    """`DeepSpeed 0.19.7 and later`, `accelerate before 1.4.0`."""
    proper = "transformers" if here.stack == "hf-trainer" else name_of(here)
    parts = ([f"{proper} {since} and later"] if since else []) + (
        [f"{proper} before {until}"] if until else []
    )
    return " and ".join(parts)


def since_release(here: Table, version: str) -> str:
    """`since DeepSpeed 0.19.8`."""
    return f"since {span_of_releases(here, version).removesuffix(' and later')}"


def refusal(
    message: str,
    place: Place,
    stage: str,
    reading: Reading,
    job: Job,
    shared: str,
    *,
    help: str | None = None,
    fixes: tuple[Fix, ...] = (),
) -> Finding:
    """A finding about something the reader refuses: an error where reader and releases are certain."""
    assumes: list[str] = []
    if shared != ALL:
        assumes.append("the releases that may be installed do not agree; set versions")
    if not certain_refusal(reading, job, stage):
        assumes.append("no file or setting says who reads this file")
    return refused(message, place, stage, not assumes, help=help, fixes=fixes, assumes=tuple(assumes))


def remark(message: str, place: Place, *, help: str | None = None, fixes: tuple[Fix, ...] = ()) -> Finding:
    """A warning about something that is taken, but not as written."""
    return Finding(message, place, WARNING, help=help, fixes=fixes)


def is_unwritten(entry: Entry) -> bool:
    """Whether nothing stands after the key: YAML reads null, and most often the value is still to come."""
    return isinstance(entry.node, Scalar) and not entry.node.raw.strip() and entry.value is None


def label(entry: Entry) -> str:
    """The key with its section, where the name alone could be any: `offload_optimizer.device`, `betas[0]`."""
    start = max(len(entry.path) - 2, 0)
    while start and isinstance(entry.path[start], int):
        start -= 1
    return render(entry.path[start:])


def shown(entry: Entry) -> str:
    """The value as written, shortened: text in quotes, a mapping or a list in a word."""
    node = entry.node
    if isinstance(node, Scalar):
        raw = node.raw.strip()
        if isinstance(entry.value, str) and node.style in ("plain", "literal", "folded", "triple"):
            raw = f'"{" ".join(node.text.split())}"'
        return raw if len(raw) <= LONGEST_VALUE else f"{raw[: LONGEST_VALUE - 4]} ..."
    if isinstance(entry.value, list):
        return "a list"
    return "a mapping" if isinstance(entry.value, dict) else "null"
