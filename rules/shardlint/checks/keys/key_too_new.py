"""A key that came with a later release than the one that runs.

## What it does
Reports keys that no release that may be installed has yet. It needs to know the releases, from
`versions.deepspeed`, `versions.accelerate`, `versions.transformers` or the requirements of the project.

## Why is this bad
An older release refuses the key where it refuses unknown keys, and ignores it elsewhere.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2, "parameter_alignment": true}
}
```
```toml shardlint.toml
[facts]
versions.deepspeed = "0.18.9"
```
Fires at `ds_config.json: zero_optimization.parameter_alignment`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
versions.deepspeed = "0.18.9"
```

## References
- https://github.com/deepspeedai/DeepSpeed/releases
- https://github.com/huggingface/accelerate/releases
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.placed import Placed, known_keys
from shardlint.checks.keys.reader import ALL, agreement, package_of, refusal, remark, span_of_releases
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.formats.reading import is_open
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.schema import Key


@rule("KEY014", "key-too-new", severity=ERROR, since="0.1", fails_at="config")
def key_too_new(reading: Reading, job: Job) -> Iterator[Finding]:
    for found, key in known_keys(reading):
        if _too_new(found, key, job) and not (found.section and _too_new(found, found.section, job)):
            yield _judged(found, key, reading, job)


def _too_new(found: Placed, key: Key, job: Job) -> bool:
    return bool(key.since) and agreement(job, package_of(found.table), "", key.since) == ALL


def _judged(found: Placed, key: Key, reading: Reading, job: Job) -> Finding:
    package = package_of(found.table)
    came = span_of_releases(found.table, key.since).removesuffix(" and later")
    text = f"{found.name} came with {came}; {job.settings.versions(package).text}"
    section, place = found.section, at_key(reading, found.entry)
    if section is not None and section.unknown == "refused" and not is_open(found.entry.value):
        shared = agreement(job, package, section.refuses_since)
        return refusal(f"{text} refuses it", place, section.fails_at or "config", reading, job, shared)
    return remark(f"{text} does not know it", place)
