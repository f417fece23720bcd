"""`optimizer.type` holds the name of a class, not DeepSpeed's name of the optimizer.

## What it does
Reports `FusedAdam`, `DeepSpeedCPUAdam`, `FusedLamb` and the like as `optimizer.type` of a DeepSpeed file.

## Why is this bad
DeepSpeed takes its own words (`Adam`, `AdamW`, `Lamb`, `Lion`, `Adagrad`, `Muon`) and exact names of
`torch.optim`. It picks the implementation itself: the fused one on the GPU, the CPU one where
`offload_optimizer` moves the states to the host. A class name is refused when the engine is built.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "optimizer": {"type": "FusedAdam", "params": {"lr": 1e-5}},
  "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}
}
```
Fires at `ds_config.json: optimizer.type`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}},
  "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#optimizer-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, refused
from shardlint.checks.optimizer.stated import Stated, left_to_deepspeed, stated
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, replace_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding

MEANT = {
    "fusedadam": "AdamW",
    "fusedadamw": "AdamW",
    "cpuadam": "AdamW",
    "cpuadamw": "AdamW",
    "deepspeedcpuadam": "AdamW",
    "fusedlamb": "Lamb",
    "fusedlion": "Lion",
    "cpulion": "Lion",
    "deepspeedcpulion": "Lion",
    "cpuadagrad": "Adagrad",
    "deepspeedcpuadagrad": "Adagrad",
    "torchadam": "Adam",
    "adam_w": "AdamW",
}
ON_GPU = ("fused", "torch")
UNTESTED = ("Lamb",)


@rule(
    "OPT001",
    "class-name-as-optimizer-type",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    supersedes=("value-not-allowed",),
    about=("optimizer",),
)
def class_name_as_optimizer_type(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    for found in stated(job):
        meant = MEANT.get(found.name.strip().lower())
        if meant is not None:
            yield _refused(found, meant, plan, left_to_deepspeed(job))


def _refused(found: Stated, meant: str, plan: TrainingPlan, certain: bool) -> Finding:
    place = at_value(found.reading, found.entry)
    device = plan.offload_optimizer.value
    moved = device in ("cpu", "nvme") and found.name.lower().startswith(ON_GPU)
    why = (
        f" and cannot run with offload_optimizer {device}, which needs the CPU implementation"
        if moved
        else ""
    )
    untested = meant in UNTESTED and (plan.stage.value or 0) > 0
    allowed = is_on(found.reading.view.get("zero_allow_untested_optimizer"))
    extra = (
        ' ZeRO also needs "zero_allow_untested_optimizer": true for it.' if untested and not allowed else ""
    )
    return refused(
        f'optimizer.type "{found.name}" is a class and no name DeepSpeed knows{why}; it fails when the '
        f"engine is built, {meant} is the name",
        place,
        "engine",
        certain,
        help=f'Write "{meant}": DeepSpeed picks the fused or the CPU implementation itself.{extra}',
        assumes=("the program leaves the optimizer to DeepSpeed",),
        fixes=(replace_value(f'Set optimizer.type to "{meant}"', place, f'"{meant}"'),),
    )
