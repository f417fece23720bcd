"""A key or section that later releases removed.

## What it does
Reports keys that newer releases of DeepSpeed, accelerate or transformers no longer have, with the
release and, where there is one, the replacement. It is an error when every release that may be
installed refuses the key, and silent when none does.

## Why is this bad
DeepSpeed 0.19.7 and 0.19.8 refuse a file that holds a removed section at all, even one that is switched
off. accelerate refuses removed top-level keys; other removed keys are ignored without a word.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2},
  "elasticity": {"enabled": false}
}
```
Fires at `ds_config.json: elasticity`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2}
}
```

## References
- https://github.com/deepspeedai/DeepSpeed/issues/8489
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.edits import delete_key, rename_key
from shardlint.checks.keys.placed import Placed, known_keys, sibling
from shardlint.checks.keys.reader import (
    ALL,
    NONE,
    agreement,
    name_of,
    package_of,
    refusal,
    remark,
    since_release,
    span_of_releases,
)
from shardlint.checks.registry import DEPRECATED, rule
from shardlint.checks.support import at_key
from shardlint.report import ERROR, Finding, Fix
from shardlint.syntax.tree import Mapping
from shardlint.syntax.view import follow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.schema import Key


@rule("KEY004", "removed-key", severity=ERROR, since="0.1", fails_at="config", tag=DEPRECATED)
def removed_key(reading: Reading, job: Job) -> Iterator[Finding]:
    for found, key in known_keys(reading):
        if not key.removed:
            continue
        shared = agreement(job, package_of(found.table), key.removed)
        if shared == NONE or (found.table.stack == "hf-trainer" and not _plain_arguments(reading, job)):
            continue
        yield (
            _refused(found, key, reading, job, shared)
            if _stage(found, key)
            else _ignored(found, key, reading, job, shared)
        )


def _refused(found: Placed, key: Key, reading: Reading, job: Job, shared: str) -> Finding:
    who = name_of(found.table)
    if shared == ALL:
        gone = since_release(found.table, key.removed)
        text = f"{found.name} is gone {gone}; {who} refuses to start with it"
    else:
        text = (
            f"{found.name} is refused by {span_of_releases(found.table, key.removed)}; older releases read it"
        )
    fixes = delete_key(reading, found.entry, safe=True) if _is_off(found) else ()
    return refusal(
        text,
        at_key(reading, found.entry),
        _stage(found, key),
        reading,
        job,
        shared,
        help=_help(key),
        fixes=fixes,
    )


def _ignored(found: Placed, key: Key, reading: Reading, job: Job, shared: str) -> Finding:
    if found.table.stack == "hf-trainer":
        text = _no_argument(found, key, shared)
    else:
        text = f"{found.name} is ignored {since_release(found.table, key.removed)}"
    return remark(text, at_key(reading, found.entry), help=_help(key), fixes=_rename(found, key, reading))


def _no_argument(found: Placed, key: Key, shared: str) -> str:
    """A script may add an argument of that name, so that the refusal is not certain in any release."""
    if shared == ALL:
        return f"{found.name} is no training argument {since_release(found.table, key.removed)}"
    releases = span_of_releases(found.table, key.removed)
    return f"{found.name} is no training argument in {releases}, which refuse it; older releases read it"


def _stage(found: Placed, key: Key) -> str:
    """Where the removed key is refused; empty where it is ignored."""
    if key.fails_at:
        return key.fails_at
    section = found.section
    return section.fails_at if section is not None and section.unknown == "refused" else ""


def _plain_arguments(reading: Reading, job: Job) -> bool:
    """Whether the arguments are read as they are, not by a framework with names of its own."""
    return reading.format.name == "fsdp" or job.consumer.value in ("hf-trainer", "trl")


def _help(key: Key) -> str:
    return f"Use {key.replaced}." if key.replaced else "Delete it."


def _is_off(found: Placed) -> bool:
    entry = found.entry
    if isinstance(follow(entry.node), Mapping):
        return entry.view.value(*entry.path, "enabled") is False
    return entry.value is False


def _rename(found: Placed, key: Key, reading: Reading) -> tuple[Fix, ...]:
    section, _, new = key.replaced.rpartition(".")
    if not new or section != key.section or sibling(reading, found, new) is not None:
        return ()
    same_meaning = key.name in (
        "evaluation_strategy",
        "thread_count",
        "push_to_hub_token",
        "push_to_hub_model_id",
    )
    return rename_key(reading, found.entry, new, safe=False) if same_meaning else ()
