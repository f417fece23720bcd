"""The batch of a rank is no whole number.

## What it does
Reports a batch key with a fraction, and a `sequence_parallel_size` that does not divide the ranks, or does
not give them together with `data_parallel_size`.

## Why is this bad
DeepSpeed checks none of them. It divides as it is told, and goes on with 1.5 samples a rank or 2.67 data-
parallel groups, so that nothing after it is what was meant; where the product is not the batch, it stops.

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

from shardlint.checks.batch.triangle import (
    DATA,
    FROM_FILES,
    MICRO,
    SEQUENCE,
    STEPS,
    TRAIN,
    divisor,
    falls_apart,
    is_elastic,
)
from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.files import deepspeed_file
from shardlint.checks.judging import certain
from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.report import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.checks.deepspeed import Config
    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan


@rule("BAT012", "fractional-batch", severity=ERROR, since="0.1", fails_at="config")
def fractional_batch(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = deepspeed_file(plan, job)
    config = config_of(reading, job) if reading else None
    if config is not None:
        yield from _fractions(config, plan, job)
        yield from _groups(config, plan)


def _fractions(config: Config, plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    """Batch keys that are no whole numbers: DeepSpeed works with them, and stops where they do not fit."""
    odd = next((name for name in (TRAIN, MICRO, STEPS) if _is_fraction(config, name)), None)
    if odd is None or is_elastic(job):
        return
    what, dp = f"{odd} {config.number(1, odd):g} is no whole number", divisor(plan, job)
    if dp.value and _fails(config, dp.value) and certain(dp):
        whole = f"{what}, and the batch keys do not fit DP {dp.value}"
        yield from refuses(
            config, config.place(odd), whole, "config", others=related(dp.place, "DP is given here")
        )
    else:
        yield Finding(f"{what}; DeepSpeed does not check it", config.place(odd), WARNING)


def _groups(config: Config, plan: TrainingPlan) -> Iterator[Finding]:
    """Sequence-parallel groups that do not fit the ranks."""
    ranks, data, degree = plan.world.value, config.number(0, DATA), config.number(1, SEQUENCE)
    if not ranks or not degree or degree < 1 or plan.world.standing == "derived":
        return
    if data and config.get(SEQUENCE):
        yield from _mesh(config, plan, data * degree, f"{DATA} {data:g} x {SEQUENCE} {degree:g}")
    elif ranks % degree:
        groups = f"{ranks / degree:.2f}"
        what = f"{SEQUENCE} {degree:g} does not divide {ranks} ranks"
        if plan.world.certain and not data and _fails(config, ranks / degree):
            whole = f"{what}, and the batch keys do not fit {groups} groups"
            yield from refuses(config, config.place(SEQUENCE), whole, "config", since=FROM_FILES)
        else:
            yield _odd(config, plan, f"{what}; DeepSpeed goes on with {groups} groups")


def _mesh(config: Config, plan: TrainingPlan, size: float, product: str) -> Iterator[Finding]:
    """A mesh of both degrees that is not the ranks."""
    ranks = plan.world.get(1)
    what = f"{product} is {size:g}, not {ranks} ranks"
    if size > ranks and plan.world.certain:
        beyond = config.related(f"{DATA} is given here", DATA)
        yield from refuses(config, config.place(SEQUENCE), what, "config", since=FROM_FILES, others=beyond)
    elif size != ranks:
        yield _odd(config, plan, what)


def _odd(config: Config, plan: TrainingPlan, what: str) -> Finding:
    others = related(plan.world.place, f"{plan.world.value} ranks are given here")
    return Finding(what, config.place(SEQUENCE), WARNING, related=others)


def _is_fraction(config: Config, name: str) -> bool:
    entry = config.get(name)
    return entry is not None and isinstance(entry.value, float) and entry.value > 0 and entry.value % 1 != 0


def _fails(config: Config, groups: float) -> bool:
    """Whether DeepSpeed's own arithmetic over that many groups refuses the batch keys, all of them known."""
    stated: list[float | None] = []
    for name in (TRAIN, MICRO, STEPS):
        value = config.number(0, name)
        if value is None:
            return False
        stated.append(None if config.get(name) is None else value)
    batch, micro, steps = stated
    return falls_apart(batch, micro, steps, groups)
