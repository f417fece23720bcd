"""The GPU has no hardware for the number format the file asks for.

## What it does
Compares the format of the run with the compute capability of the GPU the facts name: bf16 needs 8.0 (Ampere),
fp8 needs 8.9 (Ada, Hopper), and fp16 under DeepSpeed needs 7.0 (Volta).

## Why is this bad
Current PyTorch emulates bf16 on older GPUs, slowly and without tensor cores; older releases, and DeepSpeed or
the Trainer on top of them, refuse ("Type bf16 is not supported on your device"). DeepSpeed refuses fp16 below
7.0, except on 6.x with `DS_ALLOW_DEPRECATED_FP16=1`. fp8 kernels do not exist below 8.9.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 3},
  "bf16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
gpu.name = "V100-SXM2-32GB"
```
Fires at `ds_config.json: bf16.enabled`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": {"stage": 3},
  "fp16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
gpu.name = "V100-SXM2-32GB"
```

## References
- https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#compute-capabilities
- https://docs.pytorch.org/docs/stable/generated/torch.cuda.is_bf16_supported.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import certain
from shardlint.checks.precision.asked import asked
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

NEEDS = {"bf16": (8.0, "Ampere"), "fp8": (8.9, "Ada"), "fp16": (7.0, "Volta")}
OUTCOME = {
    "bf16": "it is emulated slowly, or refused by releases that do not emulate",
    "fp8": "there is no kernel for it",
    "fp16": "DeepSpeed refuses it there",
}


@rule("PRC002", "precision-unsupported-by-gpu", severity=WARNING, since="0.1")
def precision_unsupported_by_gpu(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    has = plan.capability.value
    if has is None:
        return
    for reading in job.readings:
        for name, entry in asked(reading):
            needed, family = NEEDS[name]
            if has >= needed or (name == "fp16" and plan.framework.value != "deepspeed"):
                continue
            gpu = plan.gpu_name.value or "the GPU"
            yield Finding(
                f"{name} needs compute capability {needed} ({family}), but {gpu} has {has} "
                f"({plan.capability.origin}); {OUTCOME[name]}",
                at_value(reading, entry),
                WARNING,
                confidence="certain" if certain(plan.capability) else "assumed",
                help="Use fp16 in every place that names the format."
                if has >= 7
                else "Train in fp32 on this GPU.",
                related=related(plan.capability.place, f"compute capability {has} is given here"),
            )
            return
