"""A key is given twice in one section.

## What it does
Reports a key that stands twice in one mapping, and says what its reader makes of that: DeepSpeed's own
loader refuses the file; Python's json (accelerate, the Trainer) and PyYAML keep the last one in silence.

## Why is this bad
Either the run stops when the file is loaded, or one of the two values is not the one that is used.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
mixed_precision: bf16
num_processes: 8
mixed_precision: fp16
```
Fires at `accelerate.yaml: mixed_precision`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
mixed_precision: bf16
num_processes: 8
```

## References
- https://yaml.org/spec/1.1/#id932806
- https://www.rfc-editor.org/rfc/rfc8259#section-4
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.keys.edits import delete_key
from shardlint.checks.keys.reader import shown
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key, related
from shardlint.checks.syntax.readers import assumed, reader_of
from shardlint.report import ERROR, INFO, WARNING, Finding
from shardlint.syntax.tree import Mapping, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.syntax.view import Entry


@rule("SYN003", "duplicate-key", severity=ERROR, since="0.1", fails_at="load")
def duplicate_key(reading: Reading, job: Job) -> Iterator[Finding]:
    for first, second in _repeated(reading):
        if reading.view.dialect.refusal("duplicate-key"):
            yield _refusal(first, second, reading, job)
        else:
            yield _silent(first, second, reading, job)


def _repeated(reading: Reading) -> Iterator[tuple[Entry, Entry]]:
    """The first and a later entry of each key that stands twice."""
    firsts = {
        mark.span.start: mark.related.start
        for mark in reading.document.marks
        if mark.kind == "duplicate-key" and mark.related is not None
    }
    if not firsts:
        return
    entries = {entry.key_span.start: entry for entry in reading.view.walk() if entry.pair is not None}
    for later, first in firsts.items():
        if first in entries and later in entries and not entries[later].guessed:
            yield entries[first], entries[later]


def _refusal(first: Entry, second: Entry, reading: Reading, job: Job) -> Finding:
    who, assumes = reader_of(reading, job), assumed(reading, job)
    instead = "; through accelerate or the Trainer the last one would win in silence" if assumes else ""
    is_hostfile = reading.document.language == "text"
    return refused(
        f"{second.key} is given twice, {_values(first, second)}; {who} refuses to load the file{instead}",
        at_key(reading, second),
        "launch" if is_hostfile else "load",
        not assumes,
        related=related(at_key(reading, first), "the first one"),
        fixes=delete_key(reading, second, safe=_same(first, second) and not is_hostfile),
        assumes=assumes,
    )


def _silent(first: Entry, second: Entry, reading: Reading, job: Job) -> Finding:
    loader, who = reading.view.dialect.name, reader_of(reading, job)
    kept = f"{loader}, with which {who} reads the file, keeps the last one"
    if _same(first, second):
        message, severity = f"{second.key} is given twice with one value, {shown(second)}", INFO
    elif isinstance(first.node, Mapping | Sequence) or isinstance(second.node, Mapping | Sequence):
        message, severity = f"{second.key} is given twice; {kept} and drops all of the first", WARNING
    else:
        message = f"{second.key} is given twice; {kept}, {shown(second)}, and drops {shown(first)}"
        severity = WARNING
    also = related(at_key(reading, first), "the first one")
    fixes = delete_key(reading, first, safe=True)
    return Finding(message, at_key(reading, second), severity, related=also, fixes=fixes)


def _values(first: Entry, second: Entry) -> str:
    return (
        f"both times as {shown(first)}"
        if _same(first, second)
        else f"as {shown(first)} and as {shown(second)}"
    )


def _same(first: Entry, second: Entry) -> bool:
    return type(first.value) is type(second.value) and first.value == second.value
