"""The Trainer is given an `fsdp_config`, but `fsdp` is not set.

## What it does
Reports an `fsdp_config` among training arguments without `fsdp`, where no accelerate file of the job runs
FSDP.

## Why is this bad
`fsdp` switches FSDP on; the config alone does nothing, and every rank keeps the whole model.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp_config:
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
```
Fires at `train.yaml: fsdp_config`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import runs
from shardlint.checks.support import at_key
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("TRN014", "fsdp-config-without-fsdp", severity=WARNING, since="0.1", about=("fsdp_config",))
def fsdp_config_without_fsdp(reading: Reading, job: Job) -> Iterator[Finding]:
    entry, switch = reading.view.get("fsdp_config"), reading.view.get("fsdp")
    if reading.format.name != "hf-args" or entry is None or not entry.value:
        return
    if (switch is not None and switch.value not in (None, "", False, [])) or any(
        runs(other, "FSDP") for other in job.readings
    ):
        return
    yield Finding(
        "fsdp_config is given but fsdp is not set, so FSDP stays off and every rank keeps the whole model",
        at_key(reading, entry),
        WARNING,
        confidence="assumed",
        help='Set fsdp, for example "full_shard auto_wrap", or launch with an accelerate file for FSDP.',
    )
