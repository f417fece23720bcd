"""`zero_hpz_partition_size` does not divide the number of ranks.

## What it does
Reports ZeRO-3 with a secondary partition (hpZ) whose size is no divisor of the world size.

## Why is this bad
DeepSpeed makes groups of `zero_hpz_partition_size` ranks and asserts that they come out even. A size above
the world size is cut down to it without a word.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "zero_optimization": {"stage": 3, "zero_hpz_partition_size": 6}
}
```
```toml shardlint.toml
[facts]
world_size = 16
```
Fires at `ds_config.json: zero_optimization.zero_hpz_partition_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "zero_optimization": {"stage": 3, "zero_hpz_partition_size": 8}
}
```
```toml shardlint.toml
[facts]
world_size = 16
```

## References
- https://www.deepspeed.ai/tutorials/zeropp/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import deepspeed_file
from shardlint.checks.judging import refused, whole
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

HPZ = ("zero_optimization", "zero_hpz_partition_size")


@rule(
    "SHD025",
    "hpz-does-not-divide",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("zero_hpz_partition_size",),
)
def hpz_does_not_divide(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = deepspeed_file(plan, job)
    entry = reading.view.get(*HPZ) if reading is not None else None
    size, world = whole(entry), plan.world
    if reading is None or entry is None or plan.stage.value != 3 or not size or size < 2 or not world.value:
        return
    place, ranks = at_value(reading, entry), world.value
    if size > ranks:
        yield Finding(
            f"zero_hpz_partition_size {size} is more than the {ranks} ranks; DeepSpeed uses {ranks}, a "
            f"second full "
            "partition without effect",
            place,
            WARNING,
            related=related(world.place, f"{ranks} ranks are given here"),
        )
    elif ranks % size:
        nodes = plan.nodes.value
        each = ranks // nodes if nodes and ranks % nodes == 0 else None
        yield refused(
            f"zero_hpz_partition_size {size} does not divide the {ranks} ranks; DeepSpeed fails when it "
            f"makes the "
            "groups",
            place,
            "engine",
            world.certain and plan.stage.certain,
            help=f"Use the GPUs of one node{f', {each}' if each else ''}, so that gathering stays inside it.",
            related=related(world.place, f"{ranks} ranks are given here"),
            assumes=("the number of ranks is not certain",),
        )
