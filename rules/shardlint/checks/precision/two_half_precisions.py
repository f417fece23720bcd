"""fp16 and bf16 are both on.

## What it does
Reports a DeepSpeed file whose `fp16.enabled` and `bf16.enabled` are both true, and training arguments with
both `fp16` and `bf16`.

## Why is this bad
A run computes in one 16-bit format. DeepSpeed asserts that only one of the two is on while it reads the
config, and TrainingArguments raises a ValueError.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 2},
  "fp16": {"enabled": true},
  "bf16": {"enabled": true}
}
```
Fires at `ds_config.json: bf16.enabled`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 2},
  "fp16": {"enabled": false},
  "bf16": {"enabled": true}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#bfloat16-training-options
- https://huggingface.co/docs/transformers/main_classes/trainer#transformers.TrainingArguments
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.precision.asked import asked
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related, replace_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("PRC001", "two-half-precisions", severity=ERROR, since="0.1", fails_at="config")
def two_half_precisions(reading: Reading) -> Iterator[Finding]:
    on = dict(asked(reading))
    bf16, fp16 = on.get("bf16"), on.get("fp16")
    if bf16 is None or fp16 is None:
        return
    reader = "DeepSpeed" if reading.format.name == "deepspeed" else "TrainingArguments"
    place, other = at_value(reading, bf16), at_value(reading, fp16)
    yield refused(
        f"bf16 and fp16 are both on; {reader} accepts one of them and refuses to start",
        place,
        "config",
        True,
        help="Keep bf16 on GPUs of compute capability 8.0 and above, fp16 on older ones.",
        related=related(other, "fp16 is switched on here"),
        fixes=(
            replace_value("Switch fp16 off", other, "false"),
            replace_value("Switch bf16 off", place, "false"),
        ),
    )
