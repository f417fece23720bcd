"""The launcher's accumulation steps are no number.

## What it does
Reports `gradient_accumulation_steps` of accelerate's `deepspeed_config` that is text, `auto` included,
unless the Trainer is known to read the file.

## Why is this bad
The launcher hands the text on, and the Accelerator makes a whole number of it when it is built, which
fails. The Trainer brings a number of its own, and a DeepSpeed file of its own may say "auto".

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  zero_stage: 2
  gradient_accumulation_steps: auto
```
Fires at `accelerate.yaml: deepspeed_config.gradient_accumulation_steps`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  zero_stage: 2
  gradient_accumulation_steps: 4
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import TRAINERS, refused, whole
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import runs
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "TRN016",
    "accumulation-not-a-number",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("gradient_accumulation_steps",),
)
def accumulation_not_a_number(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("deepspeed_config", "gradient_accumulation_steps")
    if not runs(reading, "DEEPSPEED") or entry is None or not isinstance(entry.value, str):
        return
    if whole(entry) is None and job.consumer.value not in TRAINERS:
        yield refused(
            f"gradient_accumulation_steps {entry.value} is no whole number; without the Trainer the "
            "Accelerator fails when it is built",
            at_value(reading, entry),
            "config",
            job.settings.text("consumer").value == "accelerate",
            help="Write a number. Under the Trainer it must be that of the training arguments.",
            assumes=("the program is not the Trainer",),
        )
