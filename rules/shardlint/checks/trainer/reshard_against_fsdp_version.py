"""`reshard_after_forward` does not fit the FSDP version of the Trainer.

## What it does
Reports a name of a strategy as `reshard_after_forward` under version 2, and a boolean under version 1.

## Why is this bad
Version 2 wants true or false, version 1 the name of a strategy. The Trainer hands the value on, and
accelerate raises where it is of the other kind.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  version: 2
  reshard_after_forward: full_shard
```
```toml shardlint.toml
[facts]
versions.transformers = "5.24.0"
```
Fires at `train.yaml: fsdp_config.reshard_after_forward`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  version: 2
  reshard_after_forward: true
```
```toml shardlint.toml
[facts]
versions.transformers = "5.24.0"
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.checks.trainer.fsdp_words import DEFAULT_2_SINCE, config, fsdp_version
from shardlint.formats.values import lax_switch
from shardlint.report import ERROR
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "TRN015",
    "reshard-against-fsdp-version",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("reshard_after_forward",),
)
def reshard_against_fsdp_version(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name not in ("hf-args", "fsdp"):
        return
    entry, version = config(reading, "reshard_after_forward"), fsdp_version(reading, job)
    if entry is None or isinstance(entry.value, Template):
        return
    boolean = isinstance(entry.value, bool)
    wrong = (version == 2 and lax_switch(entry.value) is None) or (version == 1 and boolean)
    if not wrong:
        return
    want = "true or false" if version == 2 else "the name of a strategy, as full_shard"
    yield refused(
        f"reshard_after_forward {_shown(entry.value)} under FSDP version {version}, which wants {want}; "
        f"training "
        "fails to start",
        at_value(reading, entry),
        "config",
        job.settings.versions("transformers").all_at_least(DEFAULT_2_SINCE),
        help=f"Write {want}.",
        assumes=(f"transformers {DEFAULT_2_SINCE} or later",),
    )


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
