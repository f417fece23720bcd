"""`num_processes` does not divide by `num_machines`.

## What it does
Reports an accelerate file whose `num_processes`, the total over all machines, is no multiple of
`num_machines`, or is text beside more than one machine.

## Why is this bad
accelerate starts `num_processes // num_machines` processes on each machine and drops the rest without a
message, so that the job runs on fewer ranks than the file says, or on none. Text it cannot divide: it stops
with a TypeError.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_machines: 3
num_processes: 8
```
Fires at `accelerate.yaml: num_processes`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_machines: 3
num_processes: 9
```

## References
- https://huggingface.co/docs/accelerate/basic_tutorials/launch
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused, whole
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import SEVERAL_DEVICES
from shardlint.checks.support import at_value, related, replace_value, spelt
from shardlint.report import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.syntax.view import Entry

DIVIDED = (*SEVERAL_DEVICES, "FSDP", "DEEPSPEED", "MEGATRON_LM")
"""Kinds whose launcher divides the processes by the machines."""

ONE_PROCESS = ("NO", "MULTI_CPU", False)


def _by_deepspeed(reading: Reading) -> bool:
    """Whether the deepspeed launcher starts the processes, which does with what it gets."""
    launcher = reading.view.value("deepspeed_config", "deepspeed_multinode_launcher")
    return reading.view.value("distributed_type") == "DEEPSPEED" and launcher != "standard"


def _is_divided(reading: Reading) -> bool:
    """Whether the launcher works out the processes of a machine; not where the deepspeed launcher is told
    which machines and GPUs to take."""
    filters = ("deepspeed_exclusion_filter", "deepspeed_inclusion_filter")
    told = any(reading.view.value("deepspeed_config", name) is not None for name in filters)
    return reading.view.value("distributed_type") in DIVIDED and not (told and _by_deepspeed(reading))


@rule(
    "RUN001",
    "processes-not-divisible",
    severity=ERROR,
    since="0.1",
    fails_at="launch",
    about=("num_machines",),
)
def processes_not_divisible(reading: Reading) -> Iterator[Finding]:
    if reading.format.name != "accelerate" or reading.view.value("distributed_type") in ONE_PROCESS:
        return
    entry, machines_entry = reading.view.get("num_processes"), reading.view.get("num_machines")
    total, machines = whole(entry), whole(machines_entry)
    if entry is None or machines_entry is None:
        return
    if isinstance(entry.value, str):
        if machines and machines > 1 and _is_divided(reading):
            yield _of_text(reading, entry, machines_entry)
        return
    if not total or not machines or min(total, machines) < 1:
        return
    each = total // machines
    if each * machines == total:
        return
    place = at_value(reading, entry)
    if not each and not _by_deepspeed(reading):
        yield refused(
            f"num_processes {total} over num_machines {machines} leaves no process for a machine; torchrun "
            "refuses to start",
            place,
            "launch",
            True,
            help="num_processes counts all machines together.",
            related=related(at_value(reading, machines_entry), f"{machines} machines are given here"),
        )
        return
    yield Finding(
        f"num_processes {total} is not divisible by num_machines {machines}; accelerate starts {each} on "
        f"each machine, {each * machines} in all",
        place,
        WARNING,
        help="num_processes counts all machines together.",
        related=related(at_value(reading, machines_entry), f"{machines} machines are given here"),
        fixes=tuple(
            replace_value(f"Set num_processes to {size}", place, str(size))
            for size in (each * machines, (each + 1) * machines)
            if size
        ),
    )


def _of_text(reading: Reading, entry: Entry, machines: Entry) -> Finding:
    total, place = whole(entry), at_value(reading, entry)
    number = str(total) if total is not None and total > 0 else None
    return refused(
        f'num_processes "{entry.value}" is text, which the launcher cannot divide by num_machines '
        f"{spelt(machines)}; accelerate refuses to launch",
        place,
        "launch",
        True,
        help="Write the number without quotes.",
        related=related(at_value(reading, machines), "it is divided by this"),
        fixes=(replace_value(f"Write {number}", place, number, safe=True),) if number else (),
    )
