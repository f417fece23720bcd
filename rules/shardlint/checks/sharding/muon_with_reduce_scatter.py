"""Muon is combined with reduce-scatter at ZeRO stage 3.

## What it does
Reports an optimizer of type `Muon` at ZeRO stage 3 unless `reduce_scatter` is false.

## Why is this bad
Muon works on whole matrices. With reduce-scatter, which is on by default, no rank has a whole gradient;
DeepSpeed refuses to build the optimizer.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3},
  "bf16": {"enabled": true},
  "optimizer": {"type": "Muon", "params": {"lr": 0.02}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: zero_optimization`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "reduce_scatter": false},
  "bf16": {"enabled": true},
  "optimizer": {"type": "Muon", "params": {"lr": 0.02}}
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

from shardlint.checks.deepspeed import ZERO, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("SHD049", "muon-with-reduce-scatter", severity=ERROR, since="0.1", fails_at="engine", about=("muon",))
def muon_with_reduce_scatter(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or (config.word("", "optimizer", "type") or "").lower() != "muon":
        return
    if config.stage != 3 or config.switch(True, ZERO, "reduce_scatter") is not True:
        return
    yield from refuses(
        config,
        config.place(ZERO, "reduce_scatter"),
        "Muon at ZeRO stage 3 needs reduce_scatter off, and it is on",
        "engine",
        since="0.18.9",
        help="Set zero_optimization.reduce_scatter to false.",
        others=config.related("the optimizer is given here", "optimizer", "type"),
    )
