"""Gradient accumulation by the program is combined with what needs DeepSpeed to do it.

## What it does
Reports `managed_gradient_accumulation: false` with `overlap_comm: true` at ZeRO stage 0 or 1, with
`compile.deepcompile`, and with a PipelineModule (`code.pipeline_module`).

## Why is this bad
All three reduce gradients at the boundary DeepSpeed counts itself. The engine asserts that it counts; the key
came with DeepSpeed 0.19.4.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "managed_gradient_accumulation": false,
  "zero_optimization": {"stage": 1, "overlap_comm": true},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: managed_gradient_accumulation`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "managed_gradient_accumulation": false,
  "zero_optimization": {"stage": 2, "overlap_comm": true},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#batch-size-related-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "BAT010",
    "unmanaged-accumulation-conflict",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("managed_gradient_accumulation",),
)
def unmanaged_accumulation_conflict(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or not config.off("managed_gradient_accumulation"):
        return
    if config.stage in (0, 1) and config.on(ZERO, "overlap_comm"):
        partner, path = f"overlap_comm at ZeRO stage {config.stage}", (ZERO, "overlap_comm")
    elif config.on("compile", "deepcompile"):
        partner, path = "DeepCompile", ("compile", "deepcompile")
    elif job.settings.flag("code.pipeline_module").value is True:
        partner, path = "a PipelineModule", ()
    else:
        return
    yield from refuses(
        config,
        config.place("managed_gradient_accumulation"),
        f"managed_gradient_accumulation is false, which {partner} does not support",
        "engine",
        since="0.19.4",
        others=config.related(f"{partner} is asked for here", *path) if path else (),
    )
