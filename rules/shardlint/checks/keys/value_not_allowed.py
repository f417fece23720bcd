"""A word that is none of those a key takes.

## What it does
Reports values outside the fixed set of a key, with the one that was probably meant: an offload device,
a precision, a ZeRO stage, the name of a strategy.

## Why is this bad
Most readers refuse the file. The others fall back to a default without a word.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpuu"}}
}
```
Fires at `ds_config.json: zero_optimization.offload_optimizer.device`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/
- https://huggingface.co/docs/accelerate/package_reference/cli
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.edits import replace_text
from shardlint.checks.keys.reader import (
    ALL,
    NONE,
    agreement,
    fails,
    label,
    name_of,
    package_of,
    refusal,
    remark,
    shown,
    since_release,
    span_of_releases,
)
from shardlint.checks.keys.value_problems import Fault, faults, refused_since
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR
from shardlint.schema import suggest
from shardlint.schema.near import is_misnomer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding, Fix

UNDER_FSDP = ("auto_wrap_policy", "backward_prefetch", "state_dict_type")
"""Words of the Trainer's fsdp_config that are read only to set FSDP up. Sources: transformers 5.10
`training_args.py`, `_process_fsdp_args`; accelerate 1.15 `FullyShardedDataParallelPlugin`."""


@rule("KEY006", "value-not-allowed", severity=ERROR, since="0.1", fails_at="config")
def value_not_allowed(reading: Reading, job: Job) -> Iterator[Finding]:
    for fault in faults(reading):
        if fault.problem.kind == "word":
            yield from _judged(fault, reading, job)


def _judged(fault: Fault, reading: Reading, job: Job) -> Iterator[Finding]:
    found, key, problem = fault
    here, place = found.table, at_value(reading, found.entry)
    since, until = _limits(fault)
    shared = agreement(job, package_of(here), since, until)
    if shared == NONE and problem.refused:
        return
    meant, said = _meant(fault), f"{label(found.entry)} {shown(found.entry)} {_why(fault)}"
    hint = f"; did you mean {meant}?" if meant else ""
    if not problem.refused:
        if meant is None and _is_shouted(fault):
            return
        yield remark(
            f"{said}; {_unchecked(fault)}{hint}",
            place,
            fixes=_fix(fault, meant, reading, safe=False),
        )
        return
    deed = fails(here, key.value_fails_at)
    if shared != ALL:
        said, deed = (
            f"{label(found.entry)} {shown(found.entry)}",
            f"is refused by {span_of_releases(here, since, until)}",
        )
    text = f"{said}; {deed}{hint}" if shared == ALL else f"{said} {deed}{hint}"
    certain = shared == ALL and not is_misnomer(str(found.entry.value))
    fixes = _fix(fault, meant, reading, safe=certain and _always_taken(fault, meant, job))
    yield refusal(text, place, key.value_fails_at, reading, job, shared, fixes=fixes)


def _unchecked(fault: Fault) -> str:
    """What becomes of a word that is not refused whatever else the file says."""
    if fault.key.section == "fsdp_config" and fault.key.name in UNDER_FSDP:
        return "it is refused where fsdp is on"
    return f"{name_of(fault.found.table)} does not check it"


def _is_shouted(fault: Fault) -> bool:
    """A word with capitals among words without: something a script replaces before the file is read."""
    value = fault.found.entry.value
    words = "".join(word.text for word in fault.key.words)
    return isinstance(value, str) and value != value.lower() and words == words.lower()


def _why(fault: Fault) -> str:
    """What is wrong with the word: no release has it, or not the ones that may be installed."""
    here, problem = fault.found.table, fault.problem
    once = any(word.text == fault.found.entry.value for word in fault.key.words)
    if problem.since and once:
        return f"is gone {since_release(here, problem.since)}"
    if problem.until and once:
        return f"came with {span_of_releases(here, problem.until).removesuffix(' and later')}"
    return f"is not {problem.expected}"


def _limits(fault: Fault) -> tuple[str, str]:
    """From and before which release the word is refused; a whole section may only be checked since one."""
    problem = fault.problem
    if problem.since or problem.until:
        return problem.since, problem.until
    return refused_since(fault), ""


def _meant(fault: Fault) -> str | None:
    value = fault.found.entry.value
    if not isinstance(value, str) or any(word.matches(value) for word in fault.key.words):
        return None
    words = [word.text for word in fault.key.words if not word.removed]
    parts = value.replace(",", " ").split()
    if "," in value and fault.key.reads in ("word-list", "spaced") and set(parts) <= set(words):
        return " ".join(parts)
    return suggest(value, words)


def _always_taken(fault: Fault, meant: str | None, job: Job) -> bool:
    """Whether every release that may be installed takes what was meant."""
    parts = (meant or "").split()
    ages = [word.since for word in fault.key.words if word.text in parts and word.since]
    return all(agreement(job, package_of(fault.found.table), "", since) == NONE for since in ages)


def _fix(fault: Fault, meant: str | None, reading: Reading, *, safe: bool) -> tuple[Fix, ...]:
    if meant is None:
        return ()
    return replace_text(reading, fault.found.entry, meant, f"Write {meant}", safe=safe)
