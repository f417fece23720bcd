"""bf16 "auto" is off when nobody chooses a precision.

## What it does
Notes `bf16.enabled` or `fp16.enabled` of `"auto"` in a DeepSpeed file linked from an accelerate file,
without the Trainer.

## Why is this bad
accelerate fills them from its `mixed_precision`. That key may not stand in the launcher's file beside a
DeepSpeed file, so unless the command line or the program chooses one, training runs in fp32 and takes twice
the memory.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  deepspeed_config_file: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "bf16": {"enabled": "auto"}
}
```
Fires at `ds_config.json: bf16.enabled`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  deepspeed_config_file: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "bf16": {"enabled": true}
}
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("PRC035", "open-precision-is-fp32", severity=INFO, since="0.1", about=("auto",))
def open_precision_is_fp32(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name != "deepspeed" or job.consumer.value != "accelerate":
        return
    launcher = job.reading("accelerate")
    if launcher is None or launcher.view.value("mixed_precision") is not None:
        return
    for name in ("bf16", "fp16"):
        entry = reading.view.get(name, "enabled")
        if entry is not None and entry.value == "auto":
            yield Finding(
                f'{name}.enabled "auto" is off, and training runs in fp32, unless the command line or the '
                "program chooses a mixed_precision",
                at_value(reading, entry),
                INFO,
                help=f"Write true, or launch with --mixed_precision {name}.",
            )
            return
