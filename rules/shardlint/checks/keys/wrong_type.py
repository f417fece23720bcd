"""A value of a type the key does not take.

## What it does
Reports text where a number or a boolean is expected, a fraction where a whole number is, a list where
one value is, and the reverse. Values the reader converts itself (2.0 or "2" for a whole number in the
checked sections of DeepSpeed) are left alone.

## Why is this bad
Checked sections refuse the value. Unchecked ones keep it: any text counts as true, even "false", and a
number kept as text fails later, in the middle of the set-up.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_allow_untested_optimizer": "false",
  "zero_optimization": {"stage": 2}
}
```
Fires at `ds_config.json: zero_allow_untested_optimizer`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_allow_untested_optimizer": false,
  "zero_optimization": {"stage": 2}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of
from shardlint.checks.judging import refused
from shardlint.checks.keys.edits import unquote
from shardlint.checks.keys.reader import (
    ALL,
    NONE,
    SOME,
    agreement,
    fails,
    is_unwritten,
    label,
    name_of,
    package_of,
    refusal,
    remark,
    shown,
    span_of_releases,
)
from shardlint.checks.keys.value_problems import (
    Fault,
    faults,
    is_quoted_boolean,
    may_be_filled_in,
    meant_boolean,
    refused_since,
)
from shardlint.checks.optimizer.stated import checks_its_arguments
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR
from shardlint.schema.values import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding, Fix

_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (int, "a whole number"),
    (float, "a number"),
    (str, "a string"),
    (list, "a list"),
    (dict, "a mapping"),
    (type(None), "null"),
)
PARAMS = ("optimizer", "params")
_ON = ("true", "yes", "y", "t", "on", "1")


@rule("KEY005", "wrong-type", severity=ERROR, since="0.1", fails_at="config")
def wrong_type(reading: Reading, job: Job) -> Iterator[Finding]:
    for fault in faults(reading):
        if fault.problem.kind == "coerced":
            yield from _coerced(fault, reading, job)
        elif fault.problem.kind == "type" and not _left_open(fault, job):
            yield _judged(fault, reading, job)


def _judged(fault: Fault, reading: Reading, job: Job) -> Finding:
    found, key, problem = fault
    here, place = found.table, at_value(reading, found.entry)
    said, meant = _said(fault), meant_boolean(key, found.entry.value)
    hint = f"; did you mean {meant}?" if meant else ""
    since, until = refused_since(fault), problem.until
    shared = agreement(job, package_of(here), since, until)
    stage = _stage(fault, reading, job)
    if problem.refused and shared != NONE:
        deed = fails(here, stage) if shared == ALL else f"{span_of_releases(here, since, until)} refuse it"
        text = f"{said} where {problem.expected} is expected; {deed}{hint}"
        unfinished = _unfinished(fault)
        if unfinished:
            return refused(text, place, stage, False, assumes=unfinished)
        return refusal(text, place, stage, reading, job, shared, fixes=_fix(fault, reading))
    return remark(
        f"{said} where {problem.expected} is expected; {_kept(fault)}{hint}",
        place,
        fixes=_fix(fault, reading),
    )


def _left_open(fault: Fault, job: Job) -> bool:
    """Whether the value is null, which every release that may be installed takes for none."""
    until = fault.problem.until
    nothing = fault.found.entry.value is None and "null" in fault.key.types
    return bool(until) and nothing and agreement(job, package_of(fault.found.table), "", until) == NONE


def _stage(fault: Fault, reading: Reading, job: Job) -> str:
    """Where the reader refuses the value: constructors that look at their numbers do so at once."""
    config = config_of(reading, job) if fault.found.path[:2] == PARAMS else None
    at_once = config is not None and checks_its_arguments(config)
    return "engine" if at_once and fault.key.fails_at == "first step" else fault.key.fails_at


def _unfinished(fault: Fault) -> tuple[str, ...]:
    """What is assumed of a value that somebody or something may still fill in."""
    entry = fault.found.entry
    if is_unwritten(entry):
        return ("the value is not still to be typed",)
    return (f"no script replaces {entry.value}",) if may_be_filled_in(fault.key, entry) else ()


def _coerced(fault: Fault, reading: Reading, job: Job) -> Iterator[Finding]:
    """A quoted boolean in a section that older releases did not check."""
    found, section = fault.found, fault.found.section
    since = section.refuses_since if section is not None else ""
    if not since or agreement(job, package_of(found.table), "", since) not in (ALL, SOME):
        return
    who = name_of(found.table)
    yield remark(
        f"{label(found.entry)} {shown(found.entry)} is a string where a boolean is expected; {who} "
        f"before {since} takes any string for true, and the Trainer compares it with a boolean",
        at_value(reading, found.entry),
        fixes=_fix(fault, reading),
    )


def _said(fault: Fault) -> str:
    """`fp16.enabled "yes" is a string`, `overlap_comm is a list`, `num_machines has no value`."""
    entry = fault.found.entry
    if is_unwritten(entry):
        return f"{label(entry)} has no value"
    plain = entry.value is not None and not isinstance(entry.value, list | dict)
    return (
        f"{label(entry)} {shown(entry)} is {_kind(fault)}" if plain else f"{label(entry)} is {_kind(fault)}"
    )


def _kept(fault: Fault) -> str:
    """What becomes of a value nothing refuses."""
    value, who = fault.found.entry.value, name_of(fault.found.table)
    if isinstance(value, str) and "bool" in fault.key.types:
        return (
            f'{who} takes any text for true, even "false"' if value else f"{who} takes empty text for false"
        )
    if isinstance(value, str):
        return f"{who} keeps the text as it is"
    return f"{who} takes it as it is"


def _kind(fault: Fault) -> str:
    value = fault.found.entry.value
    return next(word for kind, word in _KINDS if isinstance(value, kind))


def _fix(fault: Fault, reading: Reading) -> tuple[Fix, ...]:
    """The value without its quotes: safe where the quoted one was refused or meant the same."""
    entry = fault.found.entry
    if is_quoted_boolean(fault):
        word = "true" if str(entry.value).strip().lower() in _ON else "false"
        return unquote(reading, entry, word, safe=word == "true" or fault.problem.refused)
    numeric = bool({"int", "float"} & set(fault.key.types)) and isinstance(entry.value, str)
    if numeric and number_of(entry.value) is not None:
        return unquote(reading, entry, str(entry.value).strip(), safe=fault.problem.refused)
    return ()
