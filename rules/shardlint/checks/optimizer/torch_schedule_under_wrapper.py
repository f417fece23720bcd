"""A schedule of torch gets an optimizer of DeepSpeed's.

## What it does
Reports a `scheduler.type` that is a class of torch (`CosineAnnealingLR`, `StepLR`, ...) where ZeRO, fp16 or
bf16 wraps the optimizer.

## Why is this bad
DeepSpeed hands its wrapper to the schedule, and torch refuses what is no torch optimizer. Only DeepSpeed's
own schedules know the wrapper; a torch schedule must be built in code around the inner optimizer.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001}},
  "scheduler": {"type": "CosineAnnealingLR", "params": {"T_max": 1000}},
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
```
Fires at `ds_config.json: scheduler.type`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001}},
  "scheduler": {"type": "WarmupCosineLR", "params": {"total_num_steps": 1000, "warmup_num_steps": 10}},
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://deepspeed.readthedocs.io/en/latest/schedulers.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR
from shardlint.schema import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.checks.deepspeed import Config
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

OWN = ("WarmupLR", "WarmupDecayLR", "WarmupCosineLR", "OneCycle", "LRRangeTest")


@rule(
    "OPT025",
    "torch-schedule-under-wrapper",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("scheduler",),
)
def torch_schedule_under_wrapper(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    kind = config.word("", "scheduler", "type") if config else None
    if config is None or not kind or kind in OWN or config.get("optimizer", "type") is None:
        return
    key = table("deepspeed").find("scheduler.type")
    wrapper = _wrapper(config)
    if key is None or wrapper is None or not any(word.text == kind for word in key.words):
        return
    path, what = wrapper
    yield from refuses(
        config,
        config.place("scheduler", "type"),
        f"{kind} is a schedule of torch, which refuses the optimizer that {what} wraps",
        "engine",
        help=f"Use one of {', '.join(OWN)}, or build the schedule in code.",
        others=config.related(f"{what} is switched on here", *path),
    )


def _wrapper(config: Config) -> tuple[tuple[str, ...], str] | None:
    """What wraps the optimizer, and where it is switched on."""
    if config.stage:
        return (ZERO, "stage"), f"ZeRO stage {config.stage}"
    if config.stage == 0 and config.dtype in ("fp16", "bf16"):
        return (config.dtype, "enabled"), config.dtype
    return None
