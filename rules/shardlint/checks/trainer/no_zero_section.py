"""accelerate and the Trainer need a `zero_optimization` section.

## What it does
Reports a DeepSpeed file without `zero_optimization` that accelerate or the Trainer reads, unless the
autotuner is to fill the section in.

## Why is this bad
DeepSpeed takes such a file and runs stage 0. accelerate looks the stage up in the section and raises where
there is none.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "bf16": {"enabled": "auto"}
}
```
```toml shardlint.toml
[facts]
consumer = "hf-trainer"
```
Fires at the file `ds_config.json`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 0},
  "bf16": {"enabled": "auto"}
}
```
```toml shardlint.toml
[facts]
consumer = "hf-trainer"
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import HF_READERS, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_missing
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("TRN009", "no-zero-section", severity=ERROR, since="0.1", fails_at="config")
def no_zero_section(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name != "deepspeed" or job.consumer.value not in HF_READERS:
        return
    if reading.view.get("zero_optimization") is not None or reading.view.get("autotuning") is not None:
        return
    yield refused(
        "there is no zero_optimization section, which accelerate reads the stage from; it refuses to start",
        at_missing(reading, None, "zero_optimization"),
        "config",
        job.consumer.certain,
        help='Add "zero_optimization": {"stage": 0} for a run without ZeRO.',
        assumes=(job.consumer.origin,),
    )
