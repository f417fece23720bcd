"""XLA checkpointing is asked for without XLA.

## What it does
Reports `xla_fsdp_grad_ckpt: true` in an `fsdp_config` without `xla: true`.

## Why is this bad
The key belongs to FSDP on TPUs. Without `xla` it has no effect, and activations are kept.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard
fsdp_config:
  xla_fsdp_grad_ckpt: true
```
Fires at `train.yaml: fsdp_config.xla_fsdp_grad_ckpt`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard
fsdp_config:
  activation_checkpointing: true
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_off, is_on
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.checks.trainer.fsdp_words import config
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading


@rule("TRN020", "xla-checkpointing-without-xla", severity=WARNING, since="0.1", about=("xla_fsdp_grad_ckpt",))
def xla_checkpointing_without_xla(reading: Reading) -> Iterator[Finding]:
    if reading.format.name not in ("hf-args", "fsdp"):
        return
    entry, xla = config(reading, "xla_fsdp_grad_ckpt"), config(reading, "xla")
    if entry is not None and is_on(entry) and (xla is None or is_off(xla)):
        yield Finding(
            "xla_fsdp_grad_ckpt has no effect without xla: true; activations are not checkpointed",
            at_key(reading, entry),
            WARNING,
            help="Use activation_checkpointing on GPUs.",
        )
