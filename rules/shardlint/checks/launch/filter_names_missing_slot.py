"""The launcher's filter names a host or a slot the hostfile does not have.

## What it does
Compares the `--include` filter of the deepspeed launcher (`launch.include`) with the hosts and slots of the
hostfile.

## Why is this bad
The hostfile states the hardware, and the filter selects from it: slots are numbered from 0 to `slots - 1`.
The launcher refuses a host it does not find and a slot number beyond them.

## Example
```text hostfile
worker-1 slots=2
worker-2 slots=4
```
```toml shardlint.toml
[facts]
launch.include = "worker-1:2,3@worker-2:2,3"
```
Fires at `hostfile: worker-1`.

## Use instead
```text hostfile
worker-1 slots=4
worker-2 slots=4
```
```toml shardlint.toml
[facts]
launch.include = "worker-1:2,3@worker-2:2,3"
```

## References
- https://www.deepspeed.ai/getting-started/#resource-configuration-multi-node
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused, whole
from shardlint.checks.registry import rule
from shardlint.checks.support import at_file, at_value, related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "RUN011",
    "filter-names-missing-slot",
    severity=ERROR,
    since="0.1",
    fails_at="launch",
    about=("launch.include",),
)
def filter_names_missing_slot(reading: Reading, job: Job) -> Iterator[Finding]:
    include = job.settings.text("launch.include")
    if reading.format.name != "hostfile" or include.value is None or reading.document.faults:
        return
    here = related(include.place, "the filter is given here")
    for host, wanted in _filter(include.value):
        entry = reading.view.get(host)
        slots = whole(entry)
        if entry is None or slots is None:
            yield refused(
                f"--include names the host {host} ({include.origin}), which this hostfile does not have; "
                "the launcher refuses to start",
                at_file(reading),
                "launch",
                include.certain,
                related=here,
            )
        elif (beyond := sorted(slot for slot in wanted if slot >= slots)) != []:
            yield refused(
                f"--include asks {host} for slot {', '.join(map(str, beyond))} ({include.origin}), but "
                f"slots={slots} "
                f"numbers them 0 to {slots - 1}; the launcher refuses to start",
                at_value(reading, entry),
                "launch",
                include.certain,
                help=f"State the GPUs the host has, at least slots={max(beyond) + 1}.",
                related=here,
            )


def _filter(text: str) -> Iterator[tuple[str, set[int]]]:
    """`host:0,1@other` as hosts with the slot numbers asked for; none where the host is taken whole."""
    for part in text.split("@"):
        host, _, slots = part.strip().partition(":")
        numbers = {
            int(slot) for slot in slots.split(",") if slot.strip().isascii() and slot.strip().isdigit()
        }
        if host:
            yield host, numbers
