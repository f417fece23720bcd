"""FSDP version 2 is asked for local state dicts.

## What it does
Reports `fsdp_state_dict_type: LOCAL_STATE_DICT` with `fsdp_version: 2`.

## Why is this bad
Version 2 has no flat parameters whose local pieces could be saved. accelerate refuses the pair when the
FSDP plugin is built.

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
from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_version, fsdp_word, runs
from shardlint.checks.support import at_value, replace_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

LOCAL = 2
"""The number of LOCAL_STATE_DICT, which may stand for its name."""


@rule(
    "SHD030",
    "local-state-dict-under-fsdp2",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("state_dict_type",),
)
def local_state_dict_under_fsdp2(reading: Reading) -> Iterator[Finding]:
    entry = fsdp_entry(reading, "state_dict_type")
    if not runs(reading, "FSDP") or entry is None or fsdp_version(reading) != 2:
        return
    if fsdp_word(reading, "state_dict_type") != "local_state_dict" and whole(entry) != LOCAL:
        return
    place = at_value(reading, entry)
    yield refused(
        "LOCAL_STATE_DICT needs fsdp_version 1; with version 2 accelerate refuses to start",
        place,
        "config",
        True,
        help="Use SHARDED_STATE_DICT, or FULL_STATE_DICT for one file.",
        fixes=(replace_value("Use SHARDED_STATE_DICT", place, "SHARDED_STATE_DICT"),),
    )
