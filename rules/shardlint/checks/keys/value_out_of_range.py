"""A number outside the range of its key.

## What it does
Reports numbers below or above what a key takes: a negative bucket, a ratio above 1, a parallel degree
of 0. Where a release changed the range, the message names it.

## Why is this bad
Checked sections refuse the number; elsewhere the run starts with a value that has no meaning.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2, "allgather_bucket_size": -1}
}
```
Fires at `ds_config.json: zero_optimization.allgather_bucket_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2, "allgather_bucket_size": 200000000}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#zero-optimizations-for-fp16-training
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    span_of_releases,
)
from shardlint.checks.keys.value_problems import Fault, faults, refused_since
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("KEY007", "value-out-of-range", severity=ERROR, since="0.1", fails_at="config")
def value_out_of_range(reading: Reading, job: Job) -> Iterator[Finding]:
    for fault in faults(reading):
        if fault.problem.kind == "range":
            yield _judged(fault, reading, job)


def _judged(fault: Fault, reading: Reading, job: Job) -> Finding:
    found, key, problem = fault
    here, place = found.table, at_value(reading, found.entry)
    since = refused_since(fault)
    shared = agreement(job, package_of(here), since)
    text = f"{label(found.entry)} {shown(found.entry)} is not {problem.expected}"
    if problem.refused and shared != NONE:
        deed = (
            fails(here, key.value_fails_at) if shared == ALL else f"{span_of_releases(here, since)} refuse it"
        )
        return refusal(f"{text}; {deed}", place, key.value_fails_at, reading, job, shared)
    return remark(f"{text}; {name_of(here)} does not check it", place)
