"""A part of data efficiency is on without the keys it needs.

## What it does
Reports `curriculum_learning` enabled without `curriculum_metrics` or with a metric that lacks its
difficulties or its schedule, `dynamic_batching` enabled without `max_tokens`, and `random_ltd` enabled
without its layers or schedule.

## Why is this bad
DeepSpeed reads these sections even where `data_efficiency.enabled` is false, and there are no defaults: it
stops while the config is read, or when the engine asks for the key.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "data_efficiency": {
    "enabled": true,
    "data_sampling": {"enabled": true, "dynamic_batching": {"enabled": true}}
  }
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: data_efficiency.data_sampling.dynamic_batching`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "data_efficiency": {
    "enabled": true,
    "data_sampling": {"enabled": true, "dynamic_batching": {"enabled": true, "max_tokens": 8192}}
  }
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#data-efficiency
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import Config, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading

SAMPLING = ("data_efficiency", "data_sampling")
CURRICULUM, DYNAMIC = (*SAMPLING, "curriculum_learning"), (*SAMPLING, "dynamic_batching")
RANDOM_LTD = ("data_efficiency", "data_routing", "random_ltd")
LTD_SCHEDULE = "random_ltd_schedule"
LTD_KEYS = ("total_layer_num", "random_ltd_layer_num", LTD_SCHEDULE)
SCHEDULE_KEYS = ("min_value", "max_value", "schedule_type", "schedule_config")
METRIC_KEYS = ("min_difficulty", "max_difficulty", "schedule_type")


@rule(
    "KEY021",
    "data-efficiency-key-missing",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("data_efficiency",),
)
def data_efficiency_key_missing(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or config.get("data_efficiency") is None:
        return
    needs = (
        (CURRICULUM, (), ("curriculum_metrics",), "config", "0.8.0"),
        (DYNAMIC, (), ("max_tokens",), "config", "0.16.5"),
        (RANDOM_LTD, (), LTD_KEYS, "engine", "0.8.0"),
        (RANDOM_LTD, (LTD_SCHEDULE,), SCHEDULE_KEYS, "engine", "0.8.0"),
    )
    for section, below, names, stage, since in needs:
        absent = below and config.get(*section, *below) is None
        within = (*section, *below)
        missing = [name for name in names if reading.view.get(*config.base, *within, name) is None]
        if missing and not absent and config.on(*section, "enabled"):
            place = config.place(*within, missing[0])
            what = f"{section[-1]} is enabled, and {'.'.join((*below, missing[0]))} is missing"
            yield from refuses(config, place, what, stage, since=since)
    yield from _metrics(config)


def _metrics(config: Config) -> Iterator[Finding]:
    path = (*CURRICULUM, "curriculum_metrics")
    for metric in (
        config.reading.view.entries(*config.base, *path) if config.on(*CURRICULUM, "enabled") else ()
    ):
        stated = metric.value
        missing = [name for name in METRIC_KEYS if isinstance(stated, dict) and name not in stated]
        if missing:
            yield Finding(
                f"metric {metric.name} lacks {missing[0]}, which its schedule asserts when training starts",
                config.place(*path, metric.name, missing[0]),
                WARNING,
            )
