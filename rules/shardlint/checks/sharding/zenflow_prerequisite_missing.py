"""ZenFlow is asked for without what it builds on.

## What it does
Reports a `zenflow` section at ZeRO stage 1 or 2 without optimizer offload, or at stage 0 with it, and
`zenflow.offload` without `overlap_comm`.

## Why is this bad
ZenFlow updates the important gradients on the GPU and the rest on the CPU, so it needs an optimizer on the
CPU; its own offload needs the second stream that `overlap_comm` sets up. DeepSpeed asserts both while the
optimizer is built. Outside ZeRO the optimizer on the CPU is stepped once at the start, and cannot be.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2, "zenflow": {"topk_ratio": 0.1}},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: zero_optimization.zenflow`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {
    "stage": 2,
    "offload_optimizer": {"device": "cpu"},
    "zenflow": {"topk_ratio": 0.1}
  },
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/tutorials/zenflow/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import OFF_DEVICE, ZERO, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.checks.deepspeed import Config
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "SHD046",
    "zenflow-prerequisite-missing",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("zenflow",),
)
def zenflow_prerequisite_missing(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    section = config.get(ZERO, "zenflow") if config else None
    if config is None or section is None or not isinstance(section.value, dict):
        return
    bare = config.get("optimizer", "type") is not None and config.get("optimizer", "params") is None
    if bare and config.stage in (1, 2, 3) and config.offload_optimizer in OFF_DEVICE:
        yield from refuses(
            config,
            config.place("optimizer", "params"),
            "zenflow builds its optimizer from optimizer.params, which is missing",
            "engine",
            help="Write the learning rate and the other arguments into optimizer.params.",
            others=config.related("zenflow is switched on here", ZERO, "zenflow"),
        )
    elif config.stage in (1, 2) and config.offload_optimizer == "none":
        yield from refuses(
            config,
            at_key(reading, section),
            f"zenflow at ZeRO stage {config.stage} needs offload_optimizer, which is off",
            "engine",
            help="Set zero_optimization.offload_optimizer.device to cpu.",
        )
    elif config.stage == 0 and _steps_on_host(config):
        yield from refuses(
            config,
            at_key(reading, section),
            "zenflow at ZeRO stage 0 builds a CPU Adam that only ZeRO can step",
            "engine",
            help="Set the ZeRO stage to 1, 2 or 3, or remove zenflow.",
            others=config.related("the optimizer is offloaded here", ZERO, "offload_optimizer"),
        )
    elif config.on(ZERO, "zenflow", "offload") and config.stage in (1, 2, 3):
        if config.switch(config.stage == 3, ZERO, "overlap_comm") is not False:
            return
        yield from refuses(
            config,
            config.place(ZERO, "zenflow", "offload"),
            f"zenflow.offload needs overlap_comm, which is off at ZeRO stage {config.stage}",
            "engine",
            help="Set zero_optimization.overlap_comm to true.",
            others=config.related("overlap_comm is switched off here", ZERO, "overlap_comm"),
        )


def _steps_on_host(config: Config) -> bool:
    """Whether DeepSpeed's wrapper for half precision steps ZenFlow's CPU Adam when it is built.

    Source: `ops/adam/zenflow_cpu_adam.py`: without overlap its step needs a number only ZeRO passes.
    """
    kind = (config.word("", "optimizer", "type") or "").lower()
    own = kind in ("adam", "adamw") and config.switch(False, "optimizer", "params", "torch_adam") is False
    apart = config.switch(False, ZERO, "zenflow", "overlap_step") is False
    return own and apart and config.offload_optimizer in OFF_DEVICE and config.dtype in ("fp16", "bf16")
