"""ZeRO has no optimizer to shard.

## What it does
Reports ZeRO stage 1 or 2, and stage 3 with `zero_hpz_partition_size` above 1, in a file without
`optimizer.type` where `code.builds_optimizer` says that the program brings none either.

## Why is this bad
Stages 1 and 2 are about the optimizer, and DeepSpeed asserts that there is one. Stage 3 without one is the
way to run a model too large for one GPU, but not with secondary shards, where the engine fails.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
code.builds_optimizer = false
```
Fires at `ds_config.json: zero_optimization.stage`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001}},
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
code.builds_optimizer = false
```

## References
- https://www.deepspeed.ai/docs/config-json/#optimizer-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, config_of, refuses
from shardlint.checks.optimizer.stated import no_optimizer
from shardlint.checks.registry import rule
from shardlint.report import ERROR, Related

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

HPZ = "zero_hpz_partition_size"


@rule(
    "OPT024",
    "no-optimizer-under-zero",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("optimizer", "code.builds_optimizer"),
)
def no_optimizer_under_zero(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or not no_optimizer(config):
        return
    help = "Name one in optimizer, or pass one to the engine and set code.builds_optimizer."
    section = config.get("optimizer")
    others = () if section is None else (Related(config.place("optimizer", "type"), "no type is named here"),)
    if config.stage in (1, 2):
        what = f"ZeRO stage {config.stage} has no optimizer to shard"
        yield from refuses(config, config.place(ZERO, "stage"), what, "engine", help=help, others=others)
    elif config.stage == 3 and (config.number(1, ZERO, HPZ) or 1) > 1:
        what = f"{HPZ} needs an optimizer, and there is none"
        yield from refuses(config, config.place(ZERO, HPZ), what, "engine", help=help, others=others)
