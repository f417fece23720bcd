"""`train_batch_size` is pinned while `zero.Init` reads the file before the ranks have met.

## What it does
Reports a fixed `train_batch_size` that is right for the real number of ranks but not for one, where the
settings say that the program builds the model under `zero.Init` (`code.zero_init`) itself.

## Why is this bad
`zero.Init` reads the whole config. Called before `torch.distributed` is initialised it takes the number of
ranks to be 1, so that train batch = micro batch x accumulation x DP is checked with DP 1 and fails.

## Example
```json ds_config.json
{
  "train_batch_size": 16,
  "train_micro_batch_size_per_gpu": 1,
  "gradient_accumulation_steps": 8,
  "zero_optimization": {"stage": 3}
}
```
```toml shardlint.toml
[facts]
world_size = 2
code.zero_init = true
```
Fires at `ds_config.json: train_batch_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "gradient_accumulation_steps": 8,
  "zero_optimization": {"stage": 3}
}
```
```toml shardlint.toml
[facts]
world_size = 2
code.zero_init = true
```

## References
- https://deepspeed.readthedocs.io/en/latest/zero3.html#constructing-massive-models
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.batch.triangle import batch_place
from shardlint.checks.judging import read_by
from shardlint.checks.registry import rule
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan


@rule("BAT005", "pinned-batch-under-zero-init", severity=WARNING, since="0.1")
def pinned_batch_under_zero_init(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    place = batch_place(plan)
    batch, micro, steps = plan.train_batch.value, plan.micro_batch.value, plan.accumulation.value
    if place is None or batch is None or micro is None or plan.stage.value != 3 or read_by(job, "hf-trainer"):
        return
    init = job.settings.fact("code.zero_init")
    if init.value is not True or steps is None or not (plan.world.value and plan.world.value > 1):
        return
    alone = micro * steps
    if batch == alone:
        return
    yield Finding(
        f"train_batch_size {batch} holds for world size {plan.world.value}, but zero.Init checks it with "
        f"world size 1 when it runs before the process group exists: {micro} x {steps} x 1 = {alone}",
        place,
        WARNING,
        confidence="assumed",
        help="Leave train_batch_size out and let DeepSpeed derive it, or call deepspeed.init_distributed() "
        "before the model is built.",
    )
