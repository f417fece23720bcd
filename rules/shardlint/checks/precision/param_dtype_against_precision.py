"""The parameter dtype of a DeepSpeed file contradicts its precision switches.

## What it does
Reports `data_types.param_dtype` where it differs from the format that `fp16` or `bf16` switch on, or from
fp32 where neither is on.

## Why is this bad
Since DeepSpeed 0.19.2 the key only repeats what the switches say: the engine asserts that both agree. Older
releases do not read it.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "data_types": {"param_dtype": "fp16"},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: data_types.param_dtype`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "data_types": {"param_dtype": "bf16"},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#data-type-options
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.registry import rule
from shardlint.formats.values import dtype
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "PRC011",
    "param-dtype-against-precision",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("param_dtype",),
)
def param_dtype_against_precision(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    stated = config.get("data_types", "param_dtype") if config else None
    if config is None or stated is None:
        return
    wanted, model = dtype(stated.value), config.dtype
    if wanted not in ("fp32", "fp16", "bf16") or model is None or wanted == model:
        return
    because = f"{model} is switched on" if model != "fp32" else "neither fp16 nor bf16 is switched on"
    switch = config.bf16 if model == "bf16" else model
    yield from refuses(
        config,
        config.place("data_types", "param_dtype"),
        f"param_dtype {stated.value} is not {model}: {because}",
        "engine",
        since="0.19.2",
        help="Remove param_dtype; the enabled flag of fp16 or bf16 decides.",
        others=config.related(f"{model} is switched on here", switch, "enabled"),
    )
