"""Under ZeRO-3 no model file with weights will be saved.

## What it does
Notes ZeRO-3 without `stage3_gather_16bit_weights_on_model_save` in a DeepSpeed file, and with
`zero3_save_16bit_model: false` in an accelerate file. A file without any key of training, of which nothing
says who reads it, may well be for inference and is left alone.

## Why is this bad
Under ZeRO-3 each rank holds a part of every tensor. Without the switch the Trainer saves a ZeRO checkpoint
where a model file is expected, accelerate's `get_state_dict` raises a ValueError, and DeepSpeed's
`save_16bit_model` writes nothing. `zero_to_fp32.py` makes a model from the ZeRO checkpoint.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 8,
  "zero_optimization": {"stage": 3}
}
```
Fires at `ds_config.json: zero_optimization`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 8,
  "zero_optimization": {"stage": 3, "stage3_gather_16bit_weights_on_model_save": true}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#zero-optimizations-for-fp16-training
- https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/trainer.py
- https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/accelerator.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_off, whole
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import runs
from shardlint.checks.support import at_missing, at_value
from shardlint.report import INFO, Finding, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading

GATHER = "stage3_gather_16bit_weights_on_model_save"
NAMES = (GATHER, "gather_16bit_weights_on_model_save", "stage3_gather_fp16_weights_on_model_save")
LAUNCHER = "zero3_save_16bit_model"
TRAINS = ("optimizer", "scheduler", "gradient_accumulation_steps", "gradient_clipping")
CONSEQUENCES = {
    "hf-trainer": "the Trainer saves a ZeRO checkpoint instead of a model file",
    "accelerate": "accelerate's get_state_dict raises a ValueError, and the Trainer saves a ZeRO checkpoint "
    "instead of a model file",
    "deepspeed": "save_16bit_model writes no file",
}
UNKNOWN = "the weights are only saved in a ZeRO checkpoint, not in a model file"


@rule("SAV001", "sharded-save-without-gather", severity=INFO, since="0.1")
def sharded_save_without_gather(reading: Reading, job: Job) -> Iterator[Finding]:
    place = _in_deepspeed(reading, job) if reading.format.name == "deepspeed" else _in_launcher(reading)
    if place is None:
        return
    name = GATHER if reading.format.name == "deepspeed" else LAUNCHER
    yield Finding(
        f"{name} is not on: under ZeRO-3 {CONSEQUENCES.get(job.consumer.value or '', UNKNOWN)}",
        place,
        INFO,
        help=f"Set {name} to true, or make the model from the ZeRO checkpoint with zero_to_fp32.py.",
    )


def _in_deepspeed(reading: Reading, job: Job) -> Place | None:
    section = reading.view.get("zero_optimization")
    if whole(reading.view.get("zero_optimization", "stage")) != 3 or section is None:
        return None
    for name in NAMES:
        entry = reading.view.get("zero_optimization", name)
        if entry is not None:
            return at_value(reading, entry) if is_off(entry) else None
    if not job.consumer.known and all(reading.view.get(name) is None for name in TRAINS):
        return None
    return at_missing(reading, section, GATHER)


def _in_launcher(reading: Reading) -> Place | None:
    entry = reading.view.get("deepspeed_config", LAUNCHER)
    if not runs(reading, "DEEPSPEED") or whole(reading.view.get("deepspeed_config", "zero_stage")) != 3:
        return None
    return at_value(reading, entry) if entry is not None and is_off(entry) else None
