"""Gradients accumulate in FP32, which takes more memory than the usual account.

## What it does
Notes `data_types.grad_accum_dtype: fp32` in a 16-bit ZeRO run, with the state bytes a rank with and without
it.

## Why is this bad
Nothing is wrong with it, it costs memory. At ZeRO-1 without optimizer offload DeepSpeed keeps the FP32
accumulator full size on every rank (4 bytes a parameter, not divided by DP): 7 billion parameters over 8
ranks hold 61.93 GiB a rank before the step, not 35.86. At stages 2 and 3 it adds 2 bytes a parameter, divided
by DP.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "data_types": {"grad_accum_dtype": "fp32"},
  "zero_optimization": {"stage": 1}
}
```
```toml shardlint.toml
[facts]
model.params = "7B"
world_size = 8
```
Fires at `ds_config.json: data_types.grad_accum_dtype`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "data_types": {"grad_accum_dtype": "bf16"},
  "zero_optimization": {"stage": 1}
}
```
```toml shardlint.toml
[facts]
model.params = "7B"
world_size = 8
```

## References
- https://www.deepspeed.ai/docs/config-json/#data-type-options
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.memory.figures import confidence, explained
from shardlint.checks.registry import rule
from shardlint.plan import Fact
from shardlint.report import INFO, Finding, gib

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.ledger import Ledger
    from shardlint.plan import TrainingPlan


@rule("MEM005", "fp32-gradient-accumulation", severity=INFO, since="0.1")
def fp32_gradient_accumulation(plan: TrainingPlan, ledger: Ledger) -> Iterator[Finding]:
    from shardlint.ledger import ledger as work_out

    place, stage = plan.accum_dtype.place, plan.stage.get(0)
    if (
        place is None
        or plan.accum_dtype.value != "fp32"
        or plan.precision.value not in ("bf16", "fp16")
        or stage < 1
    ):
        return
    usual = work_out(plan._replace(accum_dtype=Fact(plan.precision.value))).states
    if ledger.states is not None and ledger.states == usual:
        return
    figure = f": {gib(ledger.states)}/rank instead of {gib(usual)}" if ledger.states and usual else ""
    size = (
        "a full-size FP32 gradient buffer on every rank"
        if stage == 1
        else "FP32 gradients, 4 bytes a parameter instead of 2, sharded"
    )
    yield Finding(
        f"grad_accum_dtype fp32 at {plan.label} keeps {size}{figure}",
        place,
        INFO,
        confidence=confidence(ledger),
        help=f"{explained(plan, ledger)} Stage 2 divides the buffer by DP.",
        assumes=ledger.assumes,
    )
