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

from typing import TYPE_CHECKING, NamedTuple

from shardlint.checks.judging import is_off, refused, whole, word
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import config_file, fsdp_entry, runs
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

READ_SINCE = "1.5.0"
"""From here on the launcher passes the backend of the file on, which DeepSpeed's plugin looks at."""


class Clash(NamedTuple):
    """What the library does not work with, where that stands, and the first release that refuses it."""

    what: str
    place: Place
    since: str = SINCE


@rule(
    "PRC036",
    "fp8-library-under-sharding",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("fp8", "fsdp_cpu_ram_efficient_loading"),
)
def fp8_library_under_sharding(reading: Reading, job: Job) -> Iterator[Finding]:
    backend = _backend(reading)
    if reading.format.name != "accelerate" or backend is None or word(_precision(reading)) != "fp8":
        return
    clash = _clash(reading, backend)
    if clash is None or job.settings.versions("accelerate").none_at_least(clash.since):
        return
    yield refused(
        f"fp8 backend {backend.value} and {clash.what} do not work together; accelerate refuses to start",
        clash.place,
        "config",
        job.settings.versions("accelerate").all_at_least(clash.since),
        related=related(at_value(reading, backend), "the library is given here"),
        assumes=(f"accelerate {clash.since} or later",),
    )


def _backend(reading: Reading) -> Entry | None:
    """The library, of two spellings the later one."""
    found = [reading.view.get("fp8_config", name) for name in ("fp8_backend", "backend")]
    return max((one for one in found if one is not None), key=lambda one: one.key_span.start, default=None)


def _precision(reading: Reading) -> Entry | None:
    return reading.view.get("mixed_precision")


def _clash(reading: Reading, backend: Entry) -> Clash | None:
    if runs(reading, "FSDP") and backend.value == "AO":
        loading = fsdp_entry(reading, "cpu_ram_efficient_loading")
        if is_off(loading) or (loading is not None and is_open(loading.value)):
            return None
        section = reading.view.get("fsdp_config")
        absent = at_missing(reading, section, "fsdp_cpu_ram_efficient_loading")
        return Clash("fsdp_cpu_ram_efficient_loading", at_value(reading, loading) if loading else absent)
    if runs(reading, "FSDP") and backend.value == "MSAMP":
        return Clash("FSDP", at_value(reading, backend))
    stage = reading.view.get("deepspeed_config", "zero_stage")
    third = stage is not None and whole(stage) == 3 and config_file(reading) is None
    if runs(reading, "DEEPSPEED") and backend.value == "MSAMP" and third and stage is not None:
        return Clash("ZeRO stage 3", at_value(reading, stage), READ_SINCE)
    return None
