"""The program brings its own optimizer while the optimizer is offloaded.

## What it does
Reports `offload_optimizer` where the program builds the optimizer in code (`code.optimizer`), it is none of
DeepSpeed's CPU optimizers, and `zero_force_ds_cpu_optimizer` is not false.

## Why is this bad
With the states on the host every step runs on the CPU. DeepSpeed insists on its own CPU implementation and
stops with "You are using ZeRO-Offload with a client provided optimizer".

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
code.optimizer = "torch.optim.AdamW"
```
Fires at `ds_config.json: zero_optimization.offload_optimizer.device`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
code.optimizer = "deepspeed.ops.adam.DeepSpeedCPUAdam"
```

## References
- https://www.deepspeed.ai/tutorials/zero-offload/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import deepspeed_file
from shardlint.checks.judging import HF_READERS, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding

MAPPED = ("adam", "adamw", "adagrad", "lion")
"""Optimizers accelerate replaces by DeepSpeed's CPU implementation."""


@rule(
    "OPT005",
    "client-optimizer-with-offload",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("code.optimizer",),
)
def client_optimizer_with_offload(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading, client = deepspeed_file(plan, job), job.settings.text("code.optimizer")
    offload = plan.offload_optimizer
    if (
        reading is None
        or client.value is None
        or offload.value not in ("cpu", "nvme")
        or not plan.stage.value
    ):
        return
    if reading.view.value("zero_force_ds_cpu_optimizer") not in (None, True):
        return
    name = client.value.strip().rpartition(".")[2].lower().replace("_", "")
    if "cpu" in name or offload.place is None or (job.consumer.value in HF_READERS and _mapped(name)):
        return
    yield refused(
        f"offload_optimizer {offload.value} with the program's own {client.value} ({client.origin}): "
        f"DeepSpeed fails "
        "when the engine is built, it takes only its CPU optimizers here",
        offload.place,
        "engine",
        job.consumer.certain
        and job.consumer.value not in HF_READERS
        and client.certain
        and "." in client.value,
        help="Let the file name the optimizer, use deepspeed.ops.adam.DeepSpeedCPUAdam, or set "
        "zero_force_ds_cpu_optimizer to false.",
        related=related(client.place, f"{client.value} is stated here"),
        assumes=("the class the program uses is not certain",),
    )


def _mapped(name: str) -> bool:
    return name.startswith(MAPPED)
