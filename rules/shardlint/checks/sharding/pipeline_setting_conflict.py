"""A setting does not work under the pipeline engine.

## What it does
Reports, where the model is a `PipelineModule` (`code.pipeline_module`): `pipeline.pipe_partitioned` and
`grad_partitioned` that are no booleans, `overlap_comm` at ZeRO stage 1, and bf16 without ZeRO.

## Why is this bad
The pipeline engine asserts booleans, switches overlapping off, and accumulates bf16 gradients in bf16 without
ZeRO, which loses small updates over many micro batches.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 1},
  "bf16": {"enabled": true},
  "pipeline": {"pipe_partitioned": "true"},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
code.pipeline_module = true
```
Fires at `ds_config.json: pipeline.pipe_partitioned`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 1},
  "bf16": {"enabled": true},
  "pipeline": {"pipe_partitioned": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
code.pipeline_module = true
```

## References
- https://www.deepspeed.ai/tutorials/pipeline/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, config_of, refuses
from shardlint.checks.keys.reader import shown
from shardlint.checks.registry import rule
from shardlint.formats.reading import is_open
from shardlint.report import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule(
    "SHD058",
    "pipeline-setting-conflict",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    supersedes=("wrong-type",),
    about=("code.pipeline_module",),
)
def pipeline_setting_conflict(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or job.settings.flag("code.pipeline_module").value is not True:
        return
    for name in ("pipe_partitioned", "grad_partitioned"):
        entry = config.get("pipeline", name)
        if entry is not None and not is_open(entry.value) and not isinstance(entry.value, bool):
            what = f"{name} {shown(entry)} is neither true nor false"
            yield from refuses(config, config.place("pipeline", name), what, "engine")
    if config.stage == 1 and config.on(ZERO, "overlap_comm"):
        what = "overlap_comm is switched off by the pipeline engine, which does not overlap"
        yield Finding(what, config.place(ZERO, "overlap_comm"), WARNING)
    if config.stage == 0 and config.dtype == "bf16":
        what = "bf16 in a pipeline without ZeRO accumulates gradients in bf16, which loses small updates"
        help = "Set the ZeRO stage to 1 and data_types.grad_accum_dtype to fp32."
        yield Finding(what, config.place(config.bf16, "enabled"), WARNING, help=help)
