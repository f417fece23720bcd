"""accelerate's fp8 under DeepSpeed keeps bf16 weights.

## What it does
Notes `mixed_precision: fp8` in an accelerate file with `distributed_type: DEEPSPEED`.

## Why is this bad
It is no fault. accelerate switches DeepSpeed to bf16 and runs single operators in fp8: weights and
gradients take 2 bytes a parameter as in bf16, and the program reports bf16.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
mixed_precision: fp8
num_processes: 2
deepspeed_config:
  zero_stage: 2
```
Fires at `accelerate.yaml: mixed_precision`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
mixed_precision: bf16
num_processes: 2
deepspeed_config:
  zero_stage: 2
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/low_precision_training
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import word
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import runs
from shardlint.checks.support import at_value
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading


@rule("PRC031", "fp8-under-deepspeed", severity=INFO, since="0.1", about=("fp8",))
def fp8_under_deepspeed(reading: Reading) -> Iterator[Finding]:
    entry = reading.view.get("mixed_precision")
    if runs(reading, "DEEPSPEED") and entry is not None and word(entry) == "fp8":
        yield Finding(
            "fp8 under DeepSpeed runs operators in fp8 on bf16 weights and gradients: budget 2 bytes a "
            "parameter for "
            "each, as in bf16",
            at_value(reading, entry),
            INFO,
        )
