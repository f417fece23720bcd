"""Two keys of one file give different tensor-parallel degrees.

## What it does
Reports `tensor_parallel.tp.tp_size` that is neither 1 nor `autotp_size`, where `autotp_size` is above 1.

## Why is this bad
`autotp_size` decides and `tp_size` is the inference spelling of the same degree. DeepSpeed refuses to
partition the model when they differ.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "tensor_parallel": {"autotp_size": 2, "tp": {"tp_size": 4}},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: tensor_parallel.tp.tp_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "tensor_parallel": {"autotp_size": 2, "tp": {"tp_size": 2}},
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
- https://www.deepspeed.ai/tutorials/autotp-training/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR

SECTION = "tensor_parallel"

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "SHD055",
    "tensor-parallel-size-mismatch",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("autotp_size",),
)
def tensor_parallel_size_mismatch(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or config.get(SECTION) is None:
        return
    alias = "tp" if config.get(SECTION, "tp") is not None else "tensor_parallel"
    degree, other = config.number(0, SECTION, "autotp_size"), config.number(1, SECTION, alias, "tp_size")
    if degree is None or other is None or degree <= 1 or other in (1, degree):
        return
    yield from refuses(
        config,
        config.place(SECTION, alias, "tp_size"),
        f"tp_size {other:g} is not autotp_size {degree:g}",
        "engine",
        since="0.18.6",
        help="Remove tp_size; autotp_size is the degree of training.",
        others=config.related("autotp_size is given here", SECTION, "autotp_size"),
    )
