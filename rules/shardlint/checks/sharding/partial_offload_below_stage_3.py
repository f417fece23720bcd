"""Part of the optimizer is to be offloaded at a stage that offloads all of it.

## What it does
Reports `offload_optimizer.ratio` below 1 at another ZeRO stage than 3, also where the device is none.

## Why is this bad
Only stage 3 can split the optimizer states between GPU and CPU. DeepSpeed asserts that while it reads the
config.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu", "ratio": 0.5}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: zero_optimization.offload_optimizer.ratio`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu", "ratio": 0.5}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#optimizer-offloading
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
    "SHD043",
    "partial-offload-below-stage-3",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("offload_optimizer",),
)
def partial_offload_below_stage_3(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or config.stage in (None, 3):
        return
    ratio = config.number(1.0, ZERO, "offload_optimizer", "ratio")
    if ratio is None or not 0 <= ratio < 1:
        return
    yield from refuses(
        config,
        config.place(ZERO, "offload_optimizer", "ratio"),
        f"offload_optimizer.ratio {ratio:g} at ZeRO stage {config.stage}: only stage 3 offloads in part",
        "config",
        help="Remove ratio to offload all states, or set the stage to 3.",
        others=config.related("the stage is set here", ZERO, "stage"),
    )
