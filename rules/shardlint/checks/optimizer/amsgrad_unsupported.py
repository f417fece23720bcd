"""AMSGrad is asked for from an optimizer that does not have it.

## What it does
Reports `amsgrad: true` for the types Adam, AdamW (without `torch_adam`) and Lamb.

## Why is this bad
DeepSpeed's fused Adam and Lamb take the argument and raise on true; the CPU Adam of ZeRO offload drops it or
raises, depending on the release.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "amsgrad": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: optimizer.params.amsgrad`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "amsgrad": true, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#optimizer-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import OFF_DEVICE, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR

PARAMS = ("optimizer", "params")
HOST_SINCE = "0.19.8"
"""A release from which on the CPU Adam is known to refuse it; 0.19.6 drops it.
Source: `ops/adam/cpu_adam.py`, `add_param_group`."""

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("OPT021", "amsgrad-unsupported", severity=ERROR, since="0.1", fails_at="engine", about=("amsgrad",))
def amsgrad_unsupported(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or not config.on(*PARAMS, "amsgrad"):
        return
    kind = (config.word("", "optimizer", "type") or "").lower()
    of_deepspeed = kind in ("adam", "adamw") and config.switch(False, *PARAMS, "torch_adam") is False
    on_host = config.offload_optimizer in OFF_DEVICE
    if config.offload_optimizer is None or not (of_deepspeed or (kind == "lamb" and not on_host)):
        return
    name = "CPU Adam" if on_host else f"fused {'Lamb' if kind == 'lamb' else 'Adam'}"
    yield from refuses(
        config,
        config.place(*PARAMS, "amsgrad"),
        f"amsgrad true: DeepSpeed's {name} has no AMSGrad variant",
        "engine",
        since=HOST_SINCE if on_host else "",
        help="Remove amsgrad." if kind == "lamb" else "Remove amsgrad, or set torch_adam to true.",
        others=config.related("the optimizer is given here", "optimizer", "type"),
    )
