"""The gradient norm is switched off where something needs it.

## What it does
Reports `compute_grad_norm: false` at ZeRO stage 0 or 3, and at stage 1 or 2 together with gradient clipping
(on by default: `gradient_clipping` is 1.0 since DeepSpeed 0.19.3), ZenFlow, optimizer offload, or the bf16
optimizer that stage 1 uses for FP32 gradients.

## Why is this bad
Clipping is a division by that norm. DeepSpeed refuses the file where it would have to clip by a norm it was
told not to compute.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2, "compute_grad_norm": false},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: zero_optimization.compute_grad_norm`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2, "compute_grad_norm": false},
  "gradient_clipping": 0,
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
- https://www.deepspeed.ai/docs/config-json/#gradient-clipping
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import OFF_DEVICE, ZERO, Config, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.formats.values import dtype
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "SHD042",
    "gradient-norm-needed",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("compute_grad_norm",),
)
def gradient_norm_needed(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or not config.off(ZERO, "compute_grad_norm") or config.stage is None:
        return
    place = config.place(ZERO, "compute_grad_norm")
    if config.stage in (0, 3):
        what = f"compute_grad_norm false at ZeRO stage {config.stage}: it is for stages 1 and 2"
        yield from refuses(config, place, what, "config", help="Remove compute_grad_norm.")
        return
    reason = _reason(config)
    if reason is not None:
        needs, help = reason
        what = f"compute_grad_norm is false, and {needs}"
        yield from refuses(config, place, what, "engine", help=help)


def _reason(config: Config) -> tuple[str, str] | None:
    """What needs the norm, and what to do."""
    clipping = config.number(1.0, "gradient_clipping")
    if clipping is not None and clipping > 0:
        default = "" if config.get("gradient_clipping") else ", the default,"
        return f"gradient_clipping {clipping:g}{default} divides by it", "Set gradient_clipping to 0."
    if config.get(ZERO, "zenflow") is not None:
        return "ZenFlow uses it", "Remove compute_grad_norm."
    if config.offload_optimizer in OFF_DEVICE:
        return f"the optimizer offloaded to {config.offload_optimizer} uses it", "Remove compute_grad_norm."
    kept = config.get("data_types", "grad_accum_dtype")
    if config.stage == 1 and config.dtype == "bf16" and kept is not None and dtype(kept.value) == "fp32":
        return "stage 1 with FP32 gradients for bf16 weights uses it", "Remove compute_grad_norm."
    return None
