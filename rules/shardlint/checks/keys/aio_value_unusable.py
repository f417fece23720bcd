"""A setting of asynchronous I/O cannot be used where offload to NVMe uses it.

## What it does
Reports a `block_size`, `queue_depth` or `intra_op_parallelism` in `aio` that is no whole number, a
`single_submit` or `overlap_events` that is neither true nor false, and an `intra_op_parallelism` of 0, at
ZeRO stage 3 with optimizer or parameter offload to nvme.

## Why is this bad
Nothing checks the section when the config is read. The engine computes with the values when it sets up the
offload, and fails.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "offload_param": {"device": "nvme", "nvme_path": "/local_nvme"}},
  "aio": {"block_size": "1M"}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
```
Fires at `ds_config.json: aio.block_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "offload_param": {"device": "nvme", "nvme_path": "/local_nvme"}},
  "aio": {"block_size": 1048576}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
```

## References
- https://www.deepspeed.ai/docs/config-json/#asynchronous-io
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR, listing
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.checks.deepspeed import Config
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.syntax.view import Value

NUMBERS = ("block_size", "queue_depth", "intra_op_parallelism")
SWITCHES = ("single_submit", "overlap_events")


@rule("KEY024", "aio-value-unusable", severity=ERROR, since="0.1", fails_at="engine", about=("aio",))
def aio_value_unusable(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or config.stage != 3:
        return
    places = _offloads(config)
    for name in (*NUMBERS, *SWITCHES) if places else ():
        entry = reading.view.get(*config.base, "aio", name)
        wrong = _wrong(name, entry.value) if entry is not None else ""
        if entry is not None and wrong and (entry.value != "auto" or config.alone):
            what = f"aio.{name} is {wrong}, and {listing(places, 'and')} to nvme needs it"
            yield from refuses(config, at_value(reading, entry), what, "engine")


def _wrong(name: str, value: Value) -> str:
    """What is wrong with a value, or empty. The operator takes any number for a switch, and none for off."""
    if isinstance(value, Template):
        return ""
    if name in SWITCHES:
        return "neither true nor false" if isinstance(value, str | list | dict) else ""
    if not isinstance(value, int):
        return "no whole number"
    return "0" if name == NUMBERS[-1] and not value else ""


def _offloads(config: Config) -> list[str]:
    """The parts of the states that go to NVMe."""
    names = ("offload_optimizer", "offload_param")
    return [name for name in names if config.word("none", ZERO, name, "device") == "nvme"]
