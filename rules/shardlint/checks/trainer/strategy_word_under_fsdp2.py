"""FSDP version 2 is given a sharding strategy it does not have.

## What it does
Reports `hybrid_shard`, `hybrid_shard_zero2` and `no_shard` in `fsdp` where the version is 2.

## Why is this bad
Version 2 has two choices, to free gathered parameters after the forward pass or not; replicas come from the
device mesh. From transformers 5.10 on, where 2 is the default, these words are refused.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: hybrid_shard auto_wrap
fsdp_config:
  version: 2
```
```toml shardlint.toml
[facts]
versions.transformers = "5.24.0"
```
Fires at `train.yaml: fsdp`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  version: 2
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
from shardlint.checks.trainer.fsdp_words import DEFAULT_2_SINCE, chosen, fsdp_version
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

ONLY_1 = ("hybrid_shard", "hybrid_shard_zero2", "no_shard")


@rule("TRN012", "strategy-word-under-fsdp2", severity=ERROR, since="0.1", fails_at="config", about=("fsdp",))
def strategy_word_under_fsdp2(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("fsdp")
    if reading.format.name not in ("hf-args", "fsdp") or entry is None:
        return
    found = next((name for name in chosen(entry) if name in ONLY_1), None)
    if found is None or fsdp_version(reading, job) != 2:
        return
    yield refused(
        f"fsdp {found} is a strategy of version 1; with version 2 the Trainer refuses it from transformers "
        f"{DEFAULT_2_SINCE} on",
        at_value(reading, entry),
        "config",
        job.settings.versions("transformers").all_at_least(DEFAULT_2_SINCE),
        help="Use full_shard with version 2, or set version: 1 in fsdp_config.",
        assumes=(f"transformers {DEFAULT_2_SINCE} or later",),
    )
