"""The words of `fsdp` do not make one strategy.

## What it does
Reports `fsdp` with two strategies, or with `offload` and no strategy.

## Why is this bad
Up to transformers 5.9 the Trainer refuses both. Later releases take the first strategy, or full sharding,
without a word.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard shard_grad_op
```
```toml shardlint.toml
[facts]
versions.transformers = "4.57.6"
```
Fires at `train.yaml: fsdp`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard
```
```toml shardlint.toml
[facts]
versions.transformers = "4.57.6"
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.checks.trainer.fsdp_words import chosen
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

STRATEGIES = ("full_shard", "shard_grad_op", "no_shard", "hybrid_shard", "hybrid_shard_zero2")
TAKEN_SINCE = "5.10.0"
"""From here on the words may be taken; 5.9.0 still refuses them."""


@rule("TRN017", "fsdp-words-conflict", severity=ERROR, since="0.1", fails_at="config", about=("fsdp",))
def fsdp_words_conflict(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("fsdp")
    if reading.format.name not in ("hf-args", "fsdp") or entry is None:
        return
    words = chosen(entry)
    strategies = [name for name in words if name in STRATEGIES]
    alone = "offload" in words and not strategies
    if not alone and {"full_shard", "shard_grad_op"} - set(strategies):
        return
    old = job.settings.versions("transformers").none_at_least(TAKEN_SINCE)
    what = "offload names no strategy" if alone else "full_shard and shard_grad_op exclude each other"
    yield refused(
        f"fsdp: {what}; the Trainer refuses this up to transformers 5.9"
        + ("" if old else ", later releases take one of them"),
        at_value(reading, entry),
        "config",
        old,
        help='Write one strategy, as "full_shard offload".',
        assumes=("the release of transformers decides",),
    )
