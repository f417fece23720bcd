"""accelerate's DeepSpeed block repeats what its `deepspeed_config_file` says.

## What it does
Reports the keys of `deepspeed_config` that accelerate refuses next to `deepspeed_config_file`:
`gradient_accumulation_steps`, `gradient_clipping`, `zero_stage`, `offload_optimizer_device`,
`offload_param_device`, their NVMe paths, `zero3_save_16bit_model`, and the top-level `mixed_precision` (also
as `no`).

## Why is this bad
accelerate cannot tell which of the two places should win and raises a ValueError about "variables" that "will
be ignored" when the job starts.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  deepspeed_config_file: ds_config.json
  zero_stage: 2
```
```json ds_config.json
{"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 3}}
```
Fires at `accelerate.yaml: deepspeed_config.zero_stage`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  deepspeed_config_file: ds_config.json
  zero3_init_flag: true
```
```json ds_config.json
{"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 3}}
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import config_file, runs
from shardlint.checks.support import at_value, related, spelt
from shardlint.report import ERROR
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.syntax.view import Entry

SAME = {
    "zero_stage": ("zero_optimization", "stage"),
    "gradient_accumulation_steps": ("gradient_accumulation_steps",),
    "gradient_clipping": ("gradient_clipping",),
    "offload_optimizer_device": ("zero_optimization", "offload_optimizer", "device"),
    "offload_param_device": ("zero_optimization", "offload_param", "device"),
    "offload_optimizer_nvme_path": ("zero_optimization", "offload_optimizer", "nvme_path"),
    "offload_param_nvme_path": ("zero_optimization", "offload_param", "nvme_path"),
    "zero3_save_16bit_model": ("zero_optimization", "stage3_gather_16bit_weights_on_model_save"),
}
"""The keys accelerate refuses and where the DeepSpeed file has them.

Source: accelerate 1.15 `DeepSpeedPlugin._deepspeed_config_checks`.
"""


@rule(
    "LNK002",
    "key-beside-config-file",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("deepspeed_config_file",),
)
def key_beside_config_file(job: Job) -> Iterator[Finding]:
    for reading in job.readings:
        named = config_file(reading)
        if named is None or not isinstance(named.value, str) or not runs(reading, "DEEPSPEED"):
            continue
        yield from _repeated(reading, named, job)


def _repeated(reading: Reading, named: Entry, job: Job) -> Iterator[Finding]:
    target = next(
        (link.target for link in job.links if link.reference.entry.key == named.key and link.target), None
    )
    entries = [entry for name in SAME if (entry := reading.view.get("deepspeed_config", name))]
    precision = reading.view.get("mixed_precision")
    if precision is not None and not isinstance(precision.value, Template | None):
        entries.append(precision)
    old = reading.view.get("fp16")
    if precision is None and is_on(old) and old is not None:
        entries.append(old)
    for entry in entries:
        there = target.view.get(*SAME[entry.name]) if target and entry.name in SAME else None
        yield refused(
            f"{entry.name} {spelt(entry)} may not stand beside deepspeed_config_file "
            f"{named.value}{f' (there it is {spelt(there)})' if there else ''}; accelerate refuses to start",
            at_value(reading, entry),
            "config",
            True,
            help="Keep deepspeed_config_file, zero3_init_flag and the launcher's own fields here.",
            related=related(
                at_value(target, there) if target and there else None, f"{entry.name} is {spelt(there)} here"
            ),
        )
