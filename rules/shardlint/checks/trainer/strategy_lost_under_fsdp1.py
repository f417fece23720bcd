"""A sharding strategy of FSDP version 1 becomes full sharding.

## What it does
Reports `shard_grad_op`, `hybrid_shard`, `hybrid_shard_zero2` and `no_shard` in `fsdp` with version 1, where
transformers 5.10 or later runs.

## Why is this bad
These releases hand the word to accelerate in a place version 1 does not look at, so that FULL_SHARD runs:
memory and traffic are not those of the strategy asked for.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: shard_grad_op auto_wrap
fsdp_config:
  version: 1
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
  version: 1
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

from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.checks.trainer.fsdp_words import DEFAULT_2_SINCE, chosen, fsdp_version
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading

LOST = ("shard_grad_op", "hybrid_shard", "hybrid_shard_zero2", "no_shard")


@rule("TRN022", "strategy-lost-under-fsdp1", severity=WARNING, since="0.1", about=("fsdp",))
def strategy_lost_under_fsdp1(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("fsdp")
    if reading.format.name not in ("hf-args", "fsdp") or entry is None:
        return
    found = next((name for name in chosen(entry) if name in LOST), None)
    new = job.settings.versions("transformers").all_at_least(DEFAULT_2_SINCE)
    if found is not None and new and fsdp_version(reading, job) == 1:
        yield Finding(
            f"fsdp {found} under version 1 runs as FULL_SHARD from transformers {DEFAULT_2_SINCE} on",
            at_value(reading, entry),
            WARNING,
            help="Use version: 2 with reshard_after_forward, or sharding_strategy in an accelerate file.",
        )
