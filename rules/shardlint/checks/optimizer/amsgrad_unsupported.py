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

from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR

PARAMS = ("optimizer", "params")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("OPT021", "amsgrad-unsupported", severity=ERROR, since="0.1", fails_at="engine", about=("amsgrad",))
def amsgrad_unsupported(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or not config.on(*PARAMS, "amsgrad") or config.offload_optimizer != "none":
        return
    kind = (config.word("", "optimizer", "type") or "").lower()
    fused = kind in ("adam", "adamw") and config.switch(False, *PARAMS, "torch_adam") is False
    if not fused and kind != "lamb":
        return
    yield from refuses(
        config,
        config.place(*PARAMS, "amsgrad"),
        f"amsgrad true: DeepSpeed's fused {'Lamb' if kind == 'lamb' else 'Adam'} has no AMSGrad variant",
        "engine",
        help="Remove amsgrad." if kind == "lamb" else "Remove amsgrad, or set torch_adam to true.",
        others=config.related("the optimizer is given here", "optimizer", "type"),
    )
