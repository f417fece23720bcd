"""`fsdp_reshard_after_forward` is not a boolean under FSDP version 2.

## What it does
Reports a strategy name or a number as the value of `fsdp_reshard_after_forward` where `fsdp_version` is 2.

## Why is this bad
accelerate reads the value as a boolean and raises "invalid truth value" when the job starts. Names such as
`FULL_SHARD` belong to version 1.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_reshard_after_forward: FULL_SHARD
```
Fires at `accelerate.yaml: fsdp_config.fsdp_reshard_after_forward`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_reshard_after_forward: true
```

## References
- https://huggingface.co/docs/accelerate/concept_guides/fsdp1_vs_fsdp2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_off, is_on, refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import FSDP2_SINCE, fsdp_entry, fsdp_version, knows_fsdp2, runs
from shardlint.checks.support import at_value, replace_value, spelt
from shardlint.report import ERROR
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

MEANING = {"full_shard": "true", "shard_grad_op": "false"}


@rule(
    "SHD005",
    "reshard-not-boolean",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    supersedes=("wrong-type",),
    about=("reshard_after_forward",),
)
def reshard_not_boolean(reading: Reading, job: Job) -> Iterator[Finding]:
    if not runs(reading, "FSDP") or fsdp_version(reading, job) != 2:
        return
    entry = fsdp_entry(reading, "reshard_after_forward")
    if entry is None or isinstance(entry.value, Template) or is_on(entry) or is_off(entry):
        return
    place = at_value(reading, entry)
    boolean = MEANING.get(str(entry.value).lower())
    yield refused(
        f"{entry.name} {spelt(entry)} is no boolean; with fsdp_version 2 accelerate wants true or false and "
        "refuses to start",
        place,
        "config",
        knows_fsdp2(job),
        help="true is what FULL_SHARD meant, false what SHARD_GRAD_OP meant.",
        fixes=(replace_value(f"Set it to {boolean}", place, boolean, safe=True),) if boolean else (),
        assumes=(f"accelerate {FSDP2_SINCE} or later",),
    )
