"""The batch of a rank is no whole number.

## What it does
Reports a `train_micro_batch_size_per_gpu` with a fraction, and a `sequence_parallel_size` that does not
divide the ranks, or does not give them together with `data_parallel_size`.

## Why is this bad
DeepSpeed takes all of them. It divides as it is told, and goes on with 1.5 samples a rank or 2.67 data-
parallel groups; nothing after it is what was meant.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "sequence_parallel_size": 3
}
```
```toml shardlint.toml
[facts]
world_size = 8
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: sequence_parallel_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "sequence_parallel_size": 4
}
```
```toml shardlint.toml
[facts]
world_size = 8
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#batch-size-related-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.batch.triangle import MICRO, STEPS, TRAIN
from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.files import deepspeed_file
from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.report import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.checks.deepspeed import Config
    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

SEQUENCE, DATA = "sequence_parallel_size", "data_parallel_size"

MESH = "0.15.0"
"""The first release that builds a device mesh of the two."""

FROM_FILES = "0.18.9"
"""A release from which on the key is known to be read from files, not only from dicts."""


def _fails(config: Config, groups: float) -> bool:
    """Whether DeepSpeed's own arithmetic over that many groups refuses the batch keys, all of them known."""
    stated = {name: config.number(0, name) for name in (TRAIN, MICRO, STEPS)}
    batch, micro, steps = stated.values()
    if batch is None or micro is None or steps is None or min(batch, micro, steps) < 0:
        return False
    if batch and micro:
        steps = steps or batch // micro // groups
    elif batch:
        steps = steps or 1
        micro = batch // groups // steps
    return bool(batch) and batch != micro * steps * groups


@rule("BAT012", "fractional-batch", severity=ERROR, since="0.1", fails_at="config")
def fractional_batch(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = deepspeed_file(plan, job)
    config = config_of(reading, job) if reading else None
    if config is None:
        return
    micro, degree = config.number(1, MICRO), config.number(1, SEQUENCE)
    entry = config.get(MICRO)
    if entry and isinstance(entry.value, float) and micro is not None and micro > 0 and micro % 1:
        what = f"{MICRO} {micro:g} is no whole number; DeepSpeed does not check it"
        yield Finding(what, config.place(MICRO), WARNING)
    ranks, data = plan.world.value, config.number(0, DATA)
    if not ranks or not degree or degree < 1 or plan.world.standing == "derived":
        return
    if ranks % degree:
        groups = f"{ranks / degree:.2f}"
        what = f"{SEQUENCE} {degree:g} does not divide {ranks} ranks"
        if plan.world.certain and not data and _fails(config, ranks / degree):
            whole = f"{what}, and the batch keys do not fit {groups} groups"
            yield from refuses(config, config.place(SEQUENCE), whole, "config", since=FROM_FILES)
            return
        what = f"{what}; DeepSpeed goes on with {groups} groups"
    elif data and config.get(SEQUENCE) and data * degree != ranks:
        what = f"{DATA} {data:g} x {SEQUENCE} {degree:g} is {data * degree:g}, not {ranks} ranks"
        if data * degree > ranks and plan.world.certain:
            beyond = config.related(f"{DATA} is given here", DATA)
            yield from refuses(config, config.place(SEQUENCE), what, "config", since=MESH, others=beyond)
            return
    else:
        return
    yield Finding(
        what,
        config.place(SEQUENCE),
        WARNING,
        related=related(plan.world.place, f"{ranks} ranks are given here"),
    )
