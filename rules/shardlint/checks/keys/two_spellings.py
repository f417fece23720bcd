"""A setting is given under both of its names.

## What it does
Reports a key that stands beside its second spelling in one section: `stage3_prefetch_bucket_size` and
`prefetch_bucket_size` in a DeepSpeed file, `fsdp_version` and `version` in an accelerate file.

## Why is this bad
DeepSpeed takes one of the two for an unknown key and refuses to start; accelerate keeps the later one.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {
    "stage": 3,
    "stage3_prefetch_bucket_size": 50000000,
    "prefetch_bucket_size": 10000000
  }
}
```
Fires at `ds_config.json: zero_optimization.prefetch_bucket_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {
    "stage": 3,
    "stage3_prefetch_bucket_size": 50000000
  }
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#zero-optimizations-for-fp16-training
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.placed import known_keys, sibling
from shardlint.checks.keys.reader import ALL, name_of, refusal, remark
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key, at_value, related
from shardlint.formats.reading import is_open
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("KEY012", "two-spellings", severity=ERROR, since="0.1", fails_at="config")
def two_spellings(reading: Reading, job: Job) -> Iterator[Finding]:
    for found, key in known_keys(reading):
        if not key.alias or found.name != key.alias:
            continue
        other = sibling(reading, found, key.name)
        if other is None or is_open(found.entry.value) or is_open(other.value):
            continue
        place = at_key(reading, found.entry)
        text = f"{found.name} and {key.name} are two names of one setting and both are given"
        if found.table.stack == "deepspeed":
            yield refusal(f"{text}; DeepSpeed refuses to start", place, "config", reading, job, ALL)
        else:
            note = remark(f"{text}; {name_of(found.table)} keeps the later one", place)
            yield note._replace(related=related(at_value(reading, other), "the other one"))
