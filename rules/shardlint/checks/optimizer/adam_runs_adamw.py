"""The optimizer type says Adam, and the weight decay is that of AdamW.

## What it does
Reports an optimizer of type `Adam` with a `weight_decay` above 0 in a DeepSpeed file that does not set
`adam_w_mode` to false.

## Why is this bad
DeepSpeed builds AdamW for both names: the decay is decoupled from the gradient. Results differ from torch's
Adam with the same numbers.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "Adam", "params": {"lr": 0.0001, "weight_decay": 0.1}}
}
```
Fires at `ds_config.json: optimizer.type`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "weight_decay": 0.1}}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#optimizer-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of
from shardlint.checks.registry import rule
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("OPT020", "adam-runs-adamw", severity=INFO, since="0.1", about=("weight_decay",))
def adam_runs_adamw(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or (config.word("", "optimizer", "type") or "").lower() != "adam":
        return
    decay = config.number(0, "optimizer", "params", "weight_decay")
    if not decay or config.switch(True, "optimizer", "params", "adam_w_mode") is not True:
        return
    yield Finding(
        f"type Adam with weight_decay {decay:g} runs as AdamW: DeepSpeed decouples the decay unless "
        "adam_w_mode is false",
        config.place("optimizer", "type"),
        INFO,
        related=config.related("the decay is given here", "optimizer", "params", "weight_decay"),
    )
