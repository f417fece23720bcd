"""Training arguments name FSDP and DeepSpeed at once.

## What it does
Reports training arguments that set both `fsdp` and `deepspeed`.

## Why is this bad
Each of the two wants to shard the model. The Trainer raises a ValueError when it is built.

## Example
```yaml train.yaml
model_name_or_path: org/model
output_dir: out
per_device_train_batch_size: 1
fsdp: full_shard auto_wrap
deepspeed: ds_config.json
```
```json ds_config.json
{"train_micro_batch_size_per_gpu": "auto", "zero_optimization": {"stage": 3}}
```
Fires at `train.yaml: fsdp`.

## Use instead
```yaml train.yaml
model_name_or_path: org/model
output_dir: out
per_device_train_batch_size: 1
deepspeed: ds_config.json
```
```json ds_config.json
{"train_micro_batch_size_per_gpu": "auto", "zero_optimization": {"stage": 3}}
```

## References
- https://huggingface.co/docs/transformers/main_classes/trainer#transformers.TrainingArguments.fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("SHD013", "two-sharding-engines", severity=ERROR, since="0.1", fails_at="launch", about=("fsdp",))
def two_sharding_engines(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name != "hf-args":
        return
    fsdp, deepspeed = reading.view.get("fsdp"), reading.view.get("deepspeed")
    if fsdp is None or deepspeed is None or not fsdp.value or not deepspeed.value:
        return
    if isinstance(fsdp.value, Template) or isinstance(deepspeed.value, Template):
        return
    yield refused(
        f"fsdp {fsdp.value!r} and deepspeed are both set; the Trainer accepts one of them and refuses to "
        "start",
        at_value(reading, fsdp),
        "launch",
        job.consumer.certain,
        help="Delete one of the two keys.",
        related=related(at_value(reading, deepspeed), "deepspeed is set here"),
    )
