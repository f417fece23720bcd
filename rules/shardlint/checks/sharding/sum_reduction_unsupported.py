"""Gradients are to be summed where DeepSpeed can only average them.

## What it does
Reports `gradient_allreduce_op` `sum` together with ZeRO stage 3, a `zenflow` section or
`compile.deepcompile`.

## Why is this bad
These three reduce gradients on paths of their own, which divide by the number of ranks. DeepSpeed refuses the
combination; releases before 0.19.6 ignore the key and average.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3},
  "gradient_allreduce_op": "sum"
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: gradient_allreduce_op`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "gradient_allreduce_op": "sum"
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/
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


@rule(
    "SHD040",
    "sum-reduction-unsupported",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("gradient_allreduce_op",),
)
def sum_reduction_unsupported(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or (config.word("mean", "gradient_allreduce_op") or "").lower() != "sum":
        return
    partners = {
        "ZeRO stage 3": (config.stage == 3, (ZERO, "stage")),
        "ZenFlow": (config.get(ZERO, "zenflow") is not None, (ZERO, "zenflow")),
        "DeepCompile": (config.on("compile", "deepcompile"), ("compile", "deepcompile")),
    }
    for name, (there, path) in partners.items():
        if there:
            yield from refuses(
                config,
                config.place("gradient_allreduce_op"),
                f"gradient_allreduce_op sum is not supported with {name}",
                "config",
                since="0.19.6",
                help="Use mean, and scale the learning rate or the loss by the number of ranks.",
                others=config.related(f"{name} is asked for here", *path),
            )
            return
