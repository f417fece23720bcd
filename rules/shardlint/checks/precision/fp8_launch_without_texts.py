"""accelerate 1.5 to 1.8 cannot start an fp8 job of one process or on CPUs.

## What it does
Reports `mixed_precision: fp8` with distributed_type NO or MULTI_CPU under accelerate 1.5 to 1.8, unless
`fp8_override_linear_precision` gives three texts or is null.

## Why is this bad
These releases put the three values of that key, which are booleans by default, into the environment of the
process as they are. Python takes only text there: "expected str, bytes or os.PathLike object, not bool".

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: 'NO'
num_processes: 1
mixed_precision: fp8
```
```toml shardlint.toml
[facts]
versions.accelerate = "1.6.0"
```
Fires at `accelerate.yaml: mixed_precision`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: 'NO'
num_processes: 1
mixed_precision: fp8
```
```toml shardlint.toml
[facts]
versions.accelerate = "1.9.0"
```

## References
- https://github.com/huggingface/accelerate/releases
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused, word
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR
from shardlint.schema.takes import has_three
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.syntax.view import Entry

SINCE, UNTIL = "1.5.0", "1.9.0"
"""Source: accelerate 1.4, 1.5, 1.8 and 1.9 `utils/launch.py`, `setup_fp8_env`."""

OWN_PROCESS = ("NO", "MULTI_CPU")
"""Kinds whose process the launcher starts itself; torchrun makes text of the environment."""


@rule(
    "PRC038",
    "fp8-launch-without-texts",
    severity=ERROR,
    since="0.1",
    fails_at="launch",
    about=("fp8",),
)
def fp8_launch_without_texts(reading: Reading, job: Job) -> Iterator[Finding]:
    entry, versions = reading.view.get("mixed_precision"), job.settings.versions("accelerate")
    if reading.format.name != "accelerate" or entry is None or word(entry) != "fp8":
        return
    kind, parts = _kind(reading), _parts(reading)
    if (
        kind not in OWN_PROCESS
        or not versions.known
        or versions.none_at_least(SINCE)
        or versions.all_at_least(UNTIL)
    ):
        return
    if parts is not None and not _are_booleans(parts):
        return
    yield refused(
        f"accelerate {SINCE} and later before {UNTIL} cannot start fp8 with distributed_type {kind}: "
        "it puts booleans into the environment of the process",
        at_value(reading, entry),
        "launch",
        versions.all_at_least(SINCE) and versions.none_at_least(UNTIL),
        help=f"Use accelerate {UNTIL} or later, or write fp8_override_linear_precision as three texts.",
        related=related(at_value(reading, parts), "the booleans") if parts else (),
        assumes=(f"accelerate {SINCE} or later, before {UNTIL}",),
    )


def _kind(reading: Reading) -> object:
    """The distributed type; an unquoted NO arrives as false, which the launcher takes for no kind, as it does
    null."""
    entry = reading.view.get("distributed_type")
    return "NO" if entry is not None and entry.value in (None, False) else entry and entry.value


def _parts(reading: Reading) -> Entry | None:
    long, short = "fp8_override_linear_precision", "override_linear_precision"
    return reading.view.get("fp8_config", long) or reading.view.get("fp8_config", short)


def _are_booleans(parts: Entry) -> bool:
    """Whether one of the three values is no text; fewer are refused as such."""
    value = parts.value
    if not isinstance(value, list) or not has_three(value):
        return False
    return any(not isinstance(one, str | Template) for one in value[:3])
