"""Gradient accumulation is given in two places.

## What it does
Reports `num_steps` in `accelerator_config.gradient_accumulation_kwargs` beside a
`gradient_accumulation_steps` above 1.

## Why is this bad
The Trainer builds accelerate's accumulation from one of them and refuses both.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
gradient_accumulation_steps: 4
accelerator_config:
  gradient_accumulation_kwargs:
    num_steps: 2
```
Fires at `train.yaml: accelerator_config.gradient_accumulation_kwargs.num_steps`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
gradient_accumulation_steps: 4
accelerator_config:
  gradient_accumulation_kwargs:
    sync_each_batch: true
```

## References
- https://huggingface.co/docs/transformers/main_classes/trainer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused, whole
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

TWICE = ("accelerator_config", "gradient_accumulation_kwargs", "num_steps")


@rule(
    "TRN021", "accumulation-given-twice", severity=ERROR, since="0.1", fails_at="engine", about=("num_steps",)
)
def accumulation_given_twice(reading: Reading) -> Iterator[Finding]:
    entry, steps = reading.view.get(*TWICE), reading.view.get("gradient_accumulation_steps")
    if reading.format.name != "hf-args" or entry is None or whole(entry) is None or steps is None:
        return
    if (whole(steps) or 0) > 1:
        yield refused(
            f"num_steps {entry.value} and gradient_accumulation_steps {steps.value} are both set; the "
            f"Trainer refuses "
            "to start",
            at_value(reading, entry),
            "engine",
            True,
            help="Keep gradient_accumulation_steps.",
            related=related(at_value(reading, steps), "the steps are given here"),
        )
