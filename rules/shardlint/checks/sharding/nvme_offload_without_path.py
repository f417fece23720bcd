"""Offload to NVMe has no path to write to.

## What it does
Reports `offload_param` and `offload_optimizer` with device `nvme` and no `nvme_path` at ZeRO stage 3.

## Why is this bad
There is no default path. The config is accepted, and the run stops while parameters are partitioned or the
optimizer is built.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "offload_param": {"device": "nvme"}},
  "bf16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: zero_optimization.offload_param`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3, "offload_param": {"device": "nvme", "nvme_path": "/local_nvme"}},
  "bf16": {"enabled": true}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#parameter-offloading
- https://www.deepspeed.ai/docs/config-json/#optimizer-offloading
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import ZERO, config_of, refuses
from shardlint.checks.optimizer.stated import no_optimizer
from shardlint.checks.registry import rule
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule("SHD044", "nvme-offload-without-path", severity=ERROR, since="0.1", fails_at="engine", about=("nvme",))
def nvme_offload_without_path(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or config.stage != 3:
        return
    for section in ("offload_param", "offload_optimizer"):
        if config.word("none", ZERO, section, "device") != "nvme" or config.get(ZERO, section, "nvme_path"):
            continue
        if section == "offload_optimizer" and no_optimizer(config):
            continue
        yield from refuses(
            config,
            config.place(ZERO, section, "nvme_path"),
            f"{section} goes to nvme and nvme_path is missing",
            "engine",
            help="Set nvme_path to a folder on a local NVMe drive of every node.",
            others=config.related("nvme is chosen here", ZERO, section, "device"),
        )
