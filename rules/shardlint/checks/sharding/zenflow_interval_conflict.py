"""ZenFlow's intervals contradict its strategy or each other.

## What it does
Reports `zenflow.select_interval` as a number under `select_strategy` auto, and as auto (or left out) under
step or epoch; a `select_interval` of steps below `update_interval`; and an `update_interval` beside another
`gradient_accumulation_steps`.

## Why is this bad
DeepSpeed raises in the first cases while the engine is built. In the last one it sets the accumulation steps
to `update_interval`, so that the batch is not the one the file states.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {
    "stage": 2,
    "offload_optimizer": {"device": "cpu"},
    "zenflow": {"select_strategy": "step"}
  },
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: zero_optimization.zenflow`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {
    "stage": 2,
    "offload_optimizer": {"device": "cpu"},
    "zenflow": {"select_strategy": "step", "select_interval": 4}
  },
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/tutorials/zenflow/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.formats.values import integer
from shardlint.report import ERROR, WARNING, Finding

ZENFLOW = (ZERO, "zenflow")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule(
    "SHD047", "zenflow-interval-conflict", severity=ERROR, since="0.1", fails_at="engine", about=("zenflow",)
)
def zenflow_interval_conflict(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    section = config.get(*ZENFLOW) if config else None
    if config is None or section is None or not isinstance(section.value, dict):
        return
    strategy = section.value.get("select_strategy", "auto")
    select, update = (integer(section.value.get(name)) for name in ("select_interval", "update_interval"))
    place = config.place(*ZENFLOW, "select_interval")
    if strategy == "auto" and select is not None:
        what = f"select_interval {select} under select_strategy auto, which sets the interval itself"
        yield from refuses(config, place, what, "engine", help="Remove select_interval.")
    elif strategy in ("step", "epoch") and section.value.get("select_interval", "auto") in ("auto", None):
        what = f"select_strategy {strategy} needs select_interval as a number"
        yield from refuses(config, place, what, "engine", help="Set select_interval.")
    elif strategy == "step" and update is not None and select is not None and 0 != select < update:
        what = f"select_interval {select} is below update_interval {update}"
        help = f"Set select_interval to {update} or more."
        others = config.related("update_interval is given here", *ZENFLOW, "update_interval")
        yield from refuses(config, place, what, "engine", help=help, others=others)
    steps = config.number(0, "gradient_accumulation_steps")
    if update is not None and steps and steps != update:
        yield Finding(
            f"update_interval {update} replaces gradient_accumulation_steps {steps:g}: the optimizer steps "
            f"every {update} micro batches",
            config.place(*ZENFLOW, "update_interval"),
            WARNING,
            help="Give both the same value.",
            related=config.related("the accumulation is given here", "gradient_accumulation_steps"),
        )
