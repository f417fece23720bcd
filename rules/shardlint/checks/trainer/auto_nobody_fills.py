"""An "auto" that no program fills in.

## What it does
Reports `"auto"` in a DeepSpeed file where the program that reads it does not replace it: any `"auto"` under
DeepSpeed alone, and under accelerate or the Trainer those outside the keys they fill.

## Why is this bad
DeepSpeed itself does not know the word. In the batch sizes, the clipping, the optimizer and the schedule it
is a text where a number is needed; in `zero_optimization`, `fp16` and `bf16` the key is dropped and the
default applies, which is stage 0 for `stage` and off for `enabled`. accelerate refuses an `"auto"` that is
left over.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "gradient_clipping": "auto",
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
```
Fires at `ds_config.json: gradient_clipping`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "gradient_clipping": 1.0,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
```

## References
- https://huggingface.co/docs/transformers/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.checks.deepspeed import DROPS_AUTO, config_of
from shardlint.checks.judging import HF_READERS, TRAINERS, refused
from shardlint.checks.keys.placed import known_keys
from shardlint.checks.keys.reader import ALL, agreement
from shardlint.checks.keys.value_problems import Fault, refused_since, used_unchecked
from shardlint.checks.optimizer.stated import checks_its_arguments
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR, WARNING, Finding, Related, listing
from shardlint.schema.fills import fills
from shardlint.schema.values import check_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.syntax.keypath import KeyPath
    from shardlint.syntax.view import Entry

WHEN = {
    "config": "refuses to start",
    "engine": "fails when the engine is built",
    "first step": "fails at the first step",
}
DEFAULTS = {"zero_optimization.stage": "0", "fp16.enabled": "off", "bf16.enabled": "off"}
"""Defaults that change what the run is."""

DROPPING = ("pydantic", "pydantic-nobool", "pydantic-power")
"""How a checked section takes values (`Key.reads`) where nothing looks at the key before the section does."""

PARAMS = ("optimizer", "params")


@rule("TRN003", "auto-nobody-fills", severity=ERROR, since="0.1", fails_at="config", about=("auto",))
def auto_nobody_fills(reading: Reading, job: Job) -> Iterator[Finding]:
    who = job.consumer.value
    if reading.format.name != "deepspeed" or who is None or who == "custom":
        return
    autos = [entry for entry in reading.auto.values() if entry.value == "auto"]
    if who in HF_READERS:
        left = [entry for entry in autos if not _filled(entry, who)]
        if left:
            yield _left_over(reading, left, job, who)
        return
    failing = dict(_read_as_text(reading, job))
    dropped = [entry for entry in autos if entry.path[0] in DROPS_AUTO and entry.path not in failing]
    if failing:
        yield _failing(reading, failing, job, who)
    if dropped and who == "deepspeed":
        yield _dropped(reading, dropped)


def path_of(entry: Entry) -> str:
    return ".".join(str(step) for step in entry.path)


def _filled(entry: Entry, who: str) -> bool:
    path = path_of(entry)
    return path in fills("accelerate") or (who in TRAINERS and path in fills("hf-trainer"))


def _left_over(reading: Reading, entries: list[Entry], job: Job, who: str) -> Finding:
    name = "the Trainer" if who in TRAINERS else "accelerate"
    return refused(
        f'{_named(entries)} "auto", which {name} does not fill in here; accelerate refuses it when the model '
        "is prepared",
        at_value(reading, entries[0]),
        "engine",
        job.consumer.certain,
        help="Write a value, or leave the key out for DeepSpeed's default.",
        related=_others(reading, entries, entries[0]),
        assumes=(job.consumer.origin,),
    )


class Stumbling(NamedTuple):
    """A key at whose `"auto"` DeepSpeed stumbles: where, and when."""

    entry: Entry
    stage: str


def _read_as_text(reading: Reading, job: Job) -> Iterator[tuple[KeyPath, Stumbling]]:
    """The keys that take the word for a text they cannot use, under every release that may be installed.

    Checked sections drop the word before they look at the key.
    """
    config = config_of(reading, job)
    brought = job.settings.fact("code.optimizer").known
    for found, key in known_keys(reading):
        if brought and found.path[0] == PARAMS[0]:
            continue
        if found.entry.value != "auto" or key.auto_text == "own" or key.is_section or key.removed:
            continue
        problem = check_text(key, "auto")
        if problem is None or not problem.refused or config is None:
            continue
        fault = Fault(found, key, problem)
        if key.reads in DROPPING and not _kept(fault, job):
            continue
        since = refused_since(fault)
        stage = key.fails_at if problem.kind == "type" else key.value_fails_at
        if agreement(job, "deepspeed", since) == ALL:
            at_once = found.path[:2] == PARAMS and checks_its_arguments(config)
            yield found.entry.path, Stumbling(found.entry, "engine" if at_once else stage)


def _kept(fault: Fault, job: Job) -> bool:
    """Whether every release that may be installed uses the word: it is older than the check that drops it."""
    checked = fault.found.section.refuses_since if fault.found.section is not None else ""
    return bool(checked) and used_unchecked(fault) and agreement(job, "deepspeed", "", checked) == ALL


def _failing(reading: Reading, failing: dict[KeyPath, Stumbling], job: Job, who: str) -> Finding:
    """One finding for all of them, at the first that stops the run."""
    stages = list(WHEN)
    first = min(failing.values(), key=lambda found: stages.index(found.stage))
    entries = [found.entry for found in failing.values()]
    name = "DeepSpeed alone" if who == "deepspeed" else who
    return refused(
        f'{_named(entries)} "auto", and {name} does not fill it in; it {WHEN[first.stage]} on a text where '
        "a value is needed",
        at_value(reading, first.entry),
        first.stage,
        job.consumer.certain and who == "deepspeed",
        help="Write values. Only the Trainer of transformers and accelerate replace the word.",
        related=_others(reading, entries, first.entry),
        assumes=("what the program does with the file is not known",),
    )


def _dropped(reading: Reading, entries: list[Entry]) -> Finding:
    known = [entry for entry in entries if path_of(entry) in DEFAULTS]
    defaults = [f"{entry.key} is {DEFAULTS[path_of(entry)]}" for entry in known]
    then = f": {listing(defaults, 'and')}" if defaults else ""
    return Finding(
        f'{_named(entries)} "auto", and DeepSpeed alone drops the key, so that its default applies{then}',
        at_value(reading, entries[0]),
        WARNING,
        help="Write the value. Only the Trainer of transformers and accelerate replace the word.",
        related=_others(reading, entries, entries[0]),
    )


def _named(entries: list[Entry]) -> str:
    return f"{listing((entry.key for entry in entries), 'and')} {'is' if len(entries) == 1 else 'are'}"


def _others(reading: Reading, entries: list[Entry], first: Entry) -> tuple[Related, ...]:
    return tuple(
        Related(at_value(reading, entry), f'{entry.key} is "auto" too')
        for entry in entries
        if entry is not first
    )
