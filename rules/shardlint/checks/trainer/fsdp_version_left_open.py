"""The FSDP version of the Trainer depends on its release.

## What it does
Notes an FSDP run of the Trainer without `version` in `fsdp_config`, where the release of transformers is
not known.

## Why is this bad
Up to transformers 5.9 that means version 1, from 5.10 on version 2. The two differ in memory, in the keys
they read and in the checkpoints they write.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
```
Fires at `train.yaml: fsdp`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  version: 1
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.checks.trainer.fsdp_words import DEFAULT_2_SINCE, chosen, config
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("TRN024", "fsdp-version-left-open", severity=INFO, since="0.1", about=("fsdp",))
def fsdp_version_left_open(reading: Reading, job: Job) -> Iterator[Finding]:
    entry, versions = reading.view.get("fsdp"), job.settings.versions("transformers")
    if reading.format.name != "hf-args" or entry is None or not chosen(entry) or config(reading, "version"):
        return
    if not versions.all_at_least(DEFAULT_2_SINCE) and not versions.none_at_least(DEFAULT_2_SINCE):
        yield Finding(
            "fsdp without a version in fsdp_config is version 1 up to transformers 5.9 and version 2 from "
            "5.10 on",
            at_value(reading, entry),
            INFO,
            help="Set version in fsdp_config, or versions.transformers.",
        )
