"""Gradient clipping is written as a parameter of the optimizer.

## What it does
Reports `max_grad_norm` in `optimizer.params` of a DeepSpeed file.

## Why is this bad
DeepSpeed clips gradients itself, over all shards, with the top-level `gradient_clipping`. `max_grad_norm`
in the optimizer's parameters is refused when DeepSpeed builds the optimizer.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "optimizer": {"type": "AdamW", "params": {"lr": 1e-4, "max_grad_norm": 1.0}},
  "zero_optimization": {"stage": 2}
}
```
Fires at `ds_config.json: optimizer.params.max_grad_norm`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}},
  "gradient_clipping": 1.0,
  "zero_optimization": {"stage": 2}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#gradient-clipping
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.optimizer.stated import left_to_deepspeed
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "OPT002",
    "clipping-in-optimizer-params",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    supersedes=("inert-key", "deprecated-key", "misplaced-key", "wrong-type", "unknown-key"),
    about=("max_grad_norm",),
)
def clipping_in_optimizer_params(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name != "deepspeed":
        return
    entry = reading.view.get("optimizer", "params", "max_grad_norm")
    if entry is None or job.settings.fact("code.optimizer").known:
        return
    yield refused(
        "max_grad_norm is no parameter DeepSpeed gives an optimizer, and building the optimizer fails; "
        "the key for clipping is gradient_clipping",
        at_key(reading, entry),
        "engine",
        reading.view.get("optimizer", "type") is not None and left_to_deepspeed(job),
        help="Move the value to the top-level gradient_clipping. A program with an optimizer of its own "
        "does not read this block: set code.optimizer.",
        assumes=("the program leaves the optimizer to DeepSpeed",),
    )
