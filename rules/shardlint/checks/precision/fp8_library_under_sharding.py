"""The fp8 library does not work with the way the job is sharded.

## What it does
Reports an accelerate file with `mixed_precision: fp8` whose fp8 backend is torchao together with FSDP and
`fsdp_cpu_ram_efficient_loading` (on by default), MS-AMP together with FSDP, and MS-AMP together with ZeRO
stage 3.

## Why is this bad
accelerate refuses these pairs when the Accelerator is built.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
mixed_precision: fp8
fp8_config:
  backend: AO
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_cpu_ram_efficient_loading: true
```
```toml shardlint.toml
[facts]
versions.accelerate = "1.15.0"
```
Fires at `accelerate.yaml: fsdp_config.fsdp_cpu_ram_efficient_loading`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
mixed_precision: fp8
fp8_config:
  backend: AO
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_cpu_ram_efficient_loading: false
```
```toml shardlint.toml
[facts]
versions.accelerate = "1.15.0"
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/low_precision_training
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_off, refused, whole, word
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, runs
from shardlint.checks.support import at_missing, at_value, related
from shardlint.formats.reading import is_open
from shardlint.report import ERROR, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.syntax.view import Entry

SINCE = "1.9.0"
"""From here on the backend of the file decides which library is used."""


@rule(
    "PRC036",
    "fp8-library-under-sharding",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("fp8", "fsdp_cpu_ram_efficient_loading"),
)
def fp8_library_under_sharding(reading: Reading, job: Job) -> Iterator[Finding]:
    backend = reading.view.get("fp8_config", "fp8_backend") or reading.view.get("fp8_config", "backend")
    if reading.format.name != "accelerate" or backend is None or word(_precision(reading)) != "fp8":
        return
    clash = _clash(reading, backend)
    if clash is None or job.settings.versions("accelerate").none_at_least(SINCE):
        return
    what, place = clash
    yield refused(
        f"fp8 backend {backend.value} and {what} do not work together; accelerate refuses to start",
        place,
        "config",
        job.settings.versions("accelerate").all_at_least(SINCE),
        related=related(at_value(reading, backend), "the library is given here"),
        assumes=(f"accelerate {SINCE} or later",),
    )


def _precision(reading: Reading) -> Entry | None:
    return reading.view.get("mixed_precision")


def _clash(reading: Reading, backend: Entry) -> tuple[str, Place] | None:
    """What the library does not work with, and where that stands."""
    if runs(reading, "FSDP") and backend.value == "AO":
        loading = fsdp_entry(reading, "cpu_ram_efficient_loading")
        if is_off(loading) or (loading is not None and is_open(loading.value)):
            return None
        section = reading.view.get("fsdp_config")
        absent = at_missing(reading, section, "fsdp_cpu_ram_efficient_loading")
        return "fsdp_cpu_ram_efficient_loading", at_value(reading, loading) if loading else absent
    if runs(reading, "FSDP") and backend.value == "MSAMP":
        return "FSDP", at_value(reading, backend)
    stage = reading.view.get("deepspeed_config", "zero_stage")
    beside = reading.view.value("deepspeed_config", "deepspeed_config_file") is not None
    third = stage is not None and whole(stage) == 3 and not beside
    if runs(reading, "DEEPSPEED") and backend.value == "MSAMP" and third and stage is not None:
        return "ZeRO stage 3", at_value(reading, stage)
    return None
