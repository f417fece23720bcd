"""FSDP version 2 is asked for state dicts it does not have.

## What it does
Reports `fsdp_state_dict_type: LOCAL_STATE_DICT` with `fsdp_version: 2`, and under accelerate 1.6
`FULL_STATE_DICT` too.

## Why is this bad
Version 2 has no flat parameters whose local pieces could be saved, and accelerate 1.6, the first release with
version 2, saves no full ones either. accelerate refuses the pair when the FSDP plugin is built.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_state_dict_type: LOCAL_STATE_DICT
```
Fires at `accelerate.yaml: fsdp_config.fsdp_state_dict_type`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_state_dict_type: SHARDED_STATE_DICT
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused, whole
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import (
    FSDP2_SINCE,
    at_version,
    fsdp_entry,
    fsdp_version,
    knows_fsdp2,
    runs,
)
from shardlint.checks.support import at_value, replace_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.syntax.view import Entry

FULL, LOCAL = "FULL_STATE_DICT", "LOCAL_STATE_DICT"
NUMBERS = {1: FULL, 2: LOCAL}
"""Numbers that may stand for the names."""

FULL_SINCE = "1.7.0"
"""The first accelerate that saves full state dicts of version 2."""


@rule(
    "SHD030",
    "local-state-dict-under-fsdp2",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("state_dict_type",),
)
def local_state_dict_under_fsdp2(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = fsdp_entry(reading, "state_dict_type")
    if not runs(reading, "FSDP") or entry is None or fsdp_version(reading, job) != 2:
        return
    if _kind(entry) == LOCAL:
        text = f"{LOCAL} needs fsdp_version 1; with version 2 accelerate refuses to start"
        certain, assumed = knows_fsdp2(job), f"accelerate {FSDP2_SINCE} or later"
    elif _kind(entry) == FULL and _may_lack_full(job):
        text = f"accelerate before {FULL_SINCE} saves no {FULL} with fsdp_version 2 and refuses to start"
        certain = knows_fsdp2(job) and job.settings.versions("accelerate").none_at_least(FULL_SINCE)
        assumed = f"accelerate before {FULL_SINCE}"
    else:
        return
    place = at_value(reading, entry)
    yield refused(
        text,
        place,
        "config",
        certain,
        help=f"Use SHARDED_STATE_DICT, or {FULL} for one file, which takes accelerate {FULL_SINCE}.",
        fixes=(replace_value("Use SHARDED_STATE_DICT", place, "SHARDED_STATE_DICT"),),
        related=at_version(reading),
        assumes=(assumed,),
    )


def _kind(entry: Entry) -> str | None:
    """The form asked for: its name in any case, or its number."""
    name = entry.value.upper() if isinstance(entry.value, str) else None
    return NUMBERS.get(whole(entry) or 0, name)


def _may_lack_full(job: Job) -> bool:
    """Whether it is known which releases may be installed, and one that lacks full ones is among them."""
    versions = job.settings.versions("accelerate")
    return versions.known and not versions.all_at_least(FULL_SINCE)
