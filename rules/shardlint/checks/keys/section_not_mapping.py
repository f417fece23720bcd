"""A section is null or a single value where a mapping is needed.

## What it does
Reports `fp16: true`, `zero_optimization: null`, `optimizer: "Adam"`, `fsdp_config: FULL_SHARD` and the
like, and `zero_optimization: true`, which is the old form of stage 1.

## Why is this bad
DeepSpeed stops with an error that names neither the file nor the key. accelerate ignores the value and
starts with defaults; with `deepspeed_config` under DEEPSPEED, and before 1.5.0 with most sections, it stops.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "fp16": true,
  "zero_optimization": {"stage": 2}
}
```
Fires at `ds_config.json: fp16`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "fp16": {"enabled": true},
  "zero_optimization": {"stage": 2}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.placed import Placed, known_keys
from shardlint.checks.keys.reader import (
    ALL,
    NONE,
    agreement,
    fails,
    name_of,
    package_of,
    refusal,
    remark,
    shown,
    span_of_releases,
)
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR
from shardlint.schema import check_value
from shardlint.schema.values import check_text
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.schema import Key


WALKED = tuple(
    (f"{name}_config",) for name in ("deepspeed", "fsdp", "megatron_lm", "dynamo", "ipex", "mpirun")
)
WALKED_UNTIL = "1.5.0"
"""Source: accelerate 1.4 and 1.5 `commands/launch.py`, `_validate_launch_command`."""


@rule("KEY008", "section-not-mapping", severity=ERROR, since="0.1", fails_at="config")
def section_not_mapping(reading: Reading, job: Job) -> Iterator[Finding]:
    for found, key in known_keys(reading):
        value = found.entry.value
        if not key.is_section or key.removed or "str" in key.types or isinstance(value, dict | Template):
            continue
        if value == "auto" and found.table.stack == "deepspeed":
            yield from _auto(found, key, reading, job)
        elif "bool" in key.types and isinstance(value, bool):
            yield from _bare_switch(found, reading)
        elif value is not None or check_value(key, value) is not None:
            yield _judged(found, key, reading, job)
        elif _refused_empty(found, key, job) != NONE:
            yield _empty(found, key, reading, job)


def _judged(found: Placed, key: Key, reading: Reading, job: Job) -> Finding:
    place, value = at_value(reading, found.entry), shown(found.entry)
    problem = check_text(key, found.entry.value)
    text = f"{found.name} is {value or 'empty'} where a mapping is needed"
    shared = _readers(found, key, job)
    if _walked(found, job):
        return refusal(f"{text}; {fails(found.table, 'launch')}", place, "launch", reading, job, ALL)
    if problem is not None and problem.refused and shared != NONE:
        who = fails(found.table, key.fails_at)
        deed = who if shared == ALL else f"{span_of_releases(found.table, key.since)} refuse it"
        return refusal(f"{text}; {deed}", place, key.fails_at, reading, job, shared)
    return remark(f"{text}; {name_of(found.table)} ignores it and uses defaults", place)


def _refused_empty(found: Placed, key: Key, job: Job) -> str:
    """How many of the possible releases refuse a null section that is taken since sections are checked.

    Source: DeepSpeed before 0.17.1, `runtime/config.py`, `get_bfloat16_enabled`.
    """
    if found.table.stack != "deepspeed" or not key.refuses_since:
        return NONE
    return agreement(job, package_of(found.table), "", key.refuses_since)


def _empty(found: Placed, key: Key, reading: Reading, job: Job) -> Finding:
    shared = _refused_empty(found, key, job)
    some = f"{span_of_releases(found.table, '', key.refuses_since)} refuse it"
    text = f"{found.name} is null where a mapping is needed; "
    text += fails(found.table, key.fails_at) if shared == ALL else some
    return refusal(text, at_value(reading, found.entry), key.fails_at, reading, job, shared)


def _readers(found: Placed, key: Key, job: Job) -> str:
    """How many of the possible releases read the section; a section that refuses unknown keys reads all."""
    strict = found.section is not None and found.section.unknown == "refused"
    return agreement(job, package_of(found.table), "" if strict else key.since)


def _walked(found: Placed, job: Job) -> bool:
    """Whether every accelerate that may be installed looks up the keys of this section, read or not: before
    1.5.0 the launcher did, and stumbled unless it was empty and could be walked."""
    if found.table.stack != "accelerate" or found.path not in WALKED or found.entry.value in ("", []):
        return False
    return agreement(job, package_of(found.table), "", WALKED_UNTIL) == ALL


def _auto(found: Placed, key: Key, reading: Reading, job: Job) -> Iterator[Finding]:
    """Nobody fills a whole section; where it is not dropped, the text is taken for the mapping."""
    if key.reads in ("exact", "mapping-or-empty") and key.fails_at:
        text = f'{found.name} is "auto" where a mapping is needed, and nobody fills a whole section; '
        place = at_value(reading, found.entry)
        yield refusal(
            text + fails(found.table, key.fails_at),
            place,
            key.fails_at,
            reading,
            job,
            _readers(found, key, job),
        )


def _bare_switch(found: Placed, reading: Reading) -> Iterator[Finding]:
    if found.entry.value is True:
        yield remark(
            f"{found.name} true is the old form of stage 1, with a bucket size from allgather_size",
            at_value(reading, found.entry),
            help='Write {"stage": 1}.',
        )
