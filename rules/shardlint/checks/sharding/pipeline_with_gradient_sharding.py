"""A DeepSpeed pipeline is combined with ZeRO-2 or ZeRO-3.

## What it does
Reports ZeRO stages 2 and 3 where the model is a `PipelineModule` (`code.pipeline_module`, or
`code.pipeline_stages` above 1).

## Why is this bad
The pipeline engine accumulates gradients over micro batches and asserts that the ZeRO stage does not shard
them: only stages 0 and 1 are taken.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "gradient_accumulation_steps": 8,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
code.pipeline_module = true
```
Fires at `ds_config.json: zero_optimization.stage`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "gradient_accumulation_steps": 8,
  "zero_optimization": {"stage": 1}
}
```
```toml shardlint.toml
[facts]
code.pipeline_module = true
```

## References
- https://www.deepspeed.ai/tutorials/pipeline/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding


@rule(
    "SHD028",
    "pipeline-with-gradient-sharding",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("code.pipeline",),
)
def pipeline_with_gradient_sharding(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    stage, module = plan.stage, job.settings.flag("code.pipeline_module")
    stages = job.settings.integer("code.pipeline_stages")
    if stage.place is None or (stage.value or 0) < 2 or plan.framework.value != "deepspeed":
        return
    if module.value is not True and (module.value is False or (stages.value or 1) < 2):
        return
    source = module if module.value is True else stages
    yield refused(
        f"ZeRO-{stage.value} with a PipelineModule ({source.origin}): the pipeline engine takes stages 0 "
        f"and 1 only "
        "and refuses to start",
        stage.place,
        "engine",
        stage.certain and source.certain,
        help="Use stage 1, or train without pipeline stages.",
        related=related(source.place, "the pipeline is stated here"),
        assumes=("the stage is not certain",),
    )
