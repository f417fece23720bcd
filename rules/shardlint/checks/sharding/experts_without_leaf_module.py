"""A mixture-of-experts model under ZeRO-3 has no leaf module.

## What it does
Reports ZeRO-3 for a model with experts when no file names its expert block as a ZeRO-3 leaf:
`deepspeed_moe_layer_cls_names` of accelerate, `zero_optimization.leaf_module` of DeepSpeed.

## Why is this bad
ZeRO-3 gathers a module when its forward starts. An expert that gets no token on one rank is not gathered
there, while the other ranks wait for it: the run hangs. As a leaf, the block is gathered with all its
experts at once. DeepSpeed knows the blocks of Mixtral, Qwen2-MoE and Qwen3-MoE by itself since 0.18.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
mixed_precision: bf16
deepspeed_config:
  zero_stage: 3
```
```toml shardlint.toml
[facts]
model.type = "deepseek_v2"
model.num_experts = 64
```
Fires at `accelerate.yaml: deepspeed_config.zero_stage`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
mixed_precision: bf16
deepspeed_config:
  zero_stage: 3
  deepspeed_moe_layer_cls_names: DeepseekV2Moe
```
```toml shardlint.toml
[facts]
model.type = "deepseek_v2"
model.num_experts = 64
```

## References
- https://deepspeed.readthedocs.io/en/latest/zero3.html
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import absent
from shardlint.checks.registry import rule
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.plan import TrainingPlan

BUILT_IN = {
    "mixtral": "MixtralSparseMoeBlock",
    "qwen2_moe": "Qwen2MoeSparseMoeBlock",
    "qwen3_moe": "Qwen3MoeSparseMoeBlock",
}
"""Blocks DeepSpeed takes for leaves without being told, from BUILT_IN_SINCE on."""
BUILT_IN_SINCE = "0.18.0"


@rule("SHD024", "experts-without-leaf-module", severity=WARNING, since="0.1")
def experts_without_leaf_module(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    experts, kind = plan.option("model.num_experts").value, plan.option("model.type").value
    place = plan.stage.place
    if plan.stage.value != 3 or place is None or not isinstance(experts, int) or experts < 2:
        return
    if any(_names_leaves(reading) for reading in job.readings):
        return
    block = BUILT_IN.get(kind) if isinstance(kind, str) else None
    if block and job.settings.versions("deepspeed").some_at_least(BUILT_IN_SINCE):
        return
    yield Finding(
        f"a MoE model of {experts} experts under ZeRO-3 without a leaf module: an expert that gets no "
        f"token on one "
        "rank is not gathered there and the others wait for it",
        place,
        WARNING,
        confidence="assumed",
        help=f"Name the MoE block{f' ({block})' if block else ''} in deepspeed_moe_layer_cls_names, in "
        "zero_optimization.leaf_module, or with deepspeed.utils.set_z3_leaf_modules in code.",
    )


def _names_leaves(reading: Reading) -> bool:
    return not (
        absent(reading, "deepspeed_config", "deepspeed_moe_layer_cls_names")
        and absent(reading, "zero_optimization", "leaf_module")
    )
