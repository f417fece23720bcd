"""Neither `train_batch_size` nor `train_micro_batch_size_per_gpu` is given.

## What it does
Reports a DeepSpeed file without both keys when DeepSpeed itself or the Trainer of transformers reads it.
`gradient_accumulation_steps` alone does not help.

## Why is this bad
DeepSpeed has nothing to derive a batch from and asserts that one of the two is present. The Trainer fills a
key only where the file says `"auto"`; a key that is not there stays absent.

## Example
```json ds_config.json
{
  "gradient_accumulation_steps": 4,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
```
Fires at the file `ds_config.json`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 4,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
```

## References
- https://www.deepspeed.ai/docs/config-json/#batch-related-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.batch.triangle import MICRO, TRAIN, is_elastic
from shardlint.checks.judging import absent, read_by, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_missing
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("BAT003", "no-batch-size", severity=ERROR, since="0.1", fails_at="config")
def no_batch_size(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name != "deepspeed" or not read_by(job, "deepspeed", "hf-trainer"):
        return
    if reading.document.faults or not (absent(reading, TRAIN) and absent(reading, MICRO)):
        return
    if is_elastic(job):
        return
    yield refused(
        f"{TRAIN} and {MICRO} are both absent; DeepSpeed needs one of them to start",
        at_missing(reading, None, MICRO),
        "config",
        True,
        help=f'The Trainer fills "{MICRO}": "auto" from its own arguments, but not a key that is absent.'
        if read_by(job, "hf-trainer")
        else f"Give {MICRO}; train_batch_size then follows from it and the number of ranks.",
    )
