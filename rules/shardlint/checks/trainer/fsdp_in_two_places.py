"""Training arguments and launcher both set FSDP up.

## What it does
Reports `fsdp` in the training arguments beside an accelerate file that runs FSDP.

## Why is this bad
The Trainer builds one plugin from both: keys of its `fsdp_config` win, keys it leaves out come from the
launcher. What runs stands in neither file.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
```
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_sharding_strategy: SHARD_GRAD_OP
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```
```toml shardlint.toml
[[jobs]]
files = ["train.yaml", "accelerate.yaml"]
```
Fires at `train.yaml: fsdp`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
bf16: true
```
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_sharding_strategy: SHARD_GRAD_OP
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```
```toml shardlint.toml
[[jobs]]
files = ["train.yaml", "accelerate.yaml"]
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import runs
from shardlint.checks.support import at_key, at_value, related
from shardlint.checks.trainer.fsdp_words import chosen
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("TRN025", "fsdp-in-two-places", severity=WARNING, since="0.1", about=("fsdp_config",))
def fsdp_in_two_places(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("fsdp")
    if reading.format.name != "hf-args" or entry is None or not chosen(entry):
        return
    for other in job.readings:
        section = other.view.get("fsdp_config")
        if runs(other, "FSDP") and section is not None:
            yield Finding(
                f"fsdp is set here and by {other.name}: one plugin is made of both, keys given here win",
                at_value(reading, entry),
                WARNING,
                help="Keep one of the two.",
                related=related(at_key(other, section), "the launcher sets FSDP up here"),
            )
            return
