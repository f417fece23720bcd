"""The Trainer loads on one rank, but states are not synchronised.

## What it does
Reports `cpu_ram_efficient_loading: true` with `sync_module_states: false` in the Trainer's `fsdp_config`.

## Why is this bad
Only rank 0 reads the weights; the others get theirs when FSDP broadcasts the states. The Trainer refuses
the pair from transformers 4.41 to 5.9, later ones warn and synchronise all the same.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  version: 1
  cpu_ram_efficient_loading: true
  sync_module_states: false
```
```toml shardlint.toml
[facts]
versions.transformers = "5.9.0"
```
Fires at `train.yaml: fsdp_config.sync_module_states`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  version: 1
  cpu_ram_efficient_loading: true
  sync_module_states: true
```
```toml shardlint.toml
[facts]
versions.transformers = "5.9.0"
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_off, is_on, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.checks.trainer.fsdp_words import config
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

SINCE, UNTIL = "4.41.0", "5.10.0"


@rule(
    "TRN018",
    "ram-efficient-trainer-without-sync",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("cpu_ram_efficient_loading",),
)
def ram_efficient_trainer_without_sync(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name not in ("hf-args", "fsdp"):
        return
    loading, sync = config(reading, "cpu_ram_efficient_loading"), config(reading, "sync_module_states")
    if loading is None or sync is None or not is_on(loading) or not is_off(sync):
        return
    versions = job.settings.versions("transformers")
    shared = versions.all_at_least(SINCE) and versions.none_at_least(UNTIL)
    yield refused(
        "sync_module_states is false while cpu_ram_efficient_loading is true; the Trainer refuses this from "
        "transformers 4.41 to 5.9",
        at_value(reading, sync),
        "config",
        shared,
        help="Set sync_module_states to true.",
        related=related(at_value(reading, loading), "RAM-efficient loading is on here"),
        assumes=("the release of transformers decides",),
    )
