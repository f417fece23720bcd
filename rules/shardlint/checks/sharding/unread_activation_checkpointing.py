"""The `activation_checkpointing` block of a DeepSpeed file is read by nobody.

## What it does
Reports an `activation_checkpointing` block that asks for something, where the Trainer or accelerate reads the
file; where the reader is not known it is a note.

## Why is this bad
The DeepSpeed engine never reads the block. It only serves code that calls
`deepspeed.checkpointing.configure(...)` and wraps its layers in `deepspeed.checkpointing.checkpoint`; models
of transformers do neither, so activations are kept as without it.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2},
  "activation_checkpointing": {"partition_activations": true, "cpu_checkpointing": true}
}
```
```toml shardlint.toml
[facts]
consumer = "hf-trainer"
```
Fires at `ds_config.json: activation_checkpointing`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "hf-trainer"
gradient_checkpointing = true
```

## References
- https://deepspeed.readthedocs.io/en/latest/activation-checkpointing.html
- https://huggingface.co/docs/transformers/perf_train_gpu_one#gradient-checkpointing
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import HF_READERS, read_by
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.report import INFO, WARNING, Finding
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule(
    "SHD012",
    "unread-activation-checkpointing",
    severity=WARNING,
    since="0.1",
    about=("activation_checkpointing",),
)
def unread_activation_checkpointing(reading: Reading, job: Job) -> Iterator[Finding]:
    block = reading.view.get("activation_checkpointing") if reading.format.name == "deepspeed" else None
    values = block.value if block else None
    if block is None or not isinstance(values, dict) or not any(map(_asks, values.values())):
        return
    known = read_by(job, *HF_READERS)
    if not known and job.consumer.certain:
        return
    effect = (
        "has no effect with transformers models"
        if known
        else "works only through deepspeed.checkpointing in code"
    )
    yield Finding(
        f"activation_checkpointing {effect}; the DeepSpeed engine does not read it",
        at_key(reading, block),
        WARNING if known else INFO,
        confidence="certain" if known else "assumed",
        help="Set gradient_checkpointing: true in the training arguments instead.",
    )


def _asks(value: object) -> bool:
    return bool(value) and not isinstance(value, Template)
