"""The text cannot be read.

## What it does
Reports a missing bracket, quote, colon or value, text after the end, a bad escape, bytes that are not
UTF-8: whatever neither Python's json nor hjson reads, no YAML loader, or tomllib. What can still be read
of the file is checked as usual. A file with placeholders that a script fills in is left alone.

## Why is this bad
The run stops when the file is loaded, on every rank.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {
    "stage": 2
  ,
  "bf16": {"enabled": true}
}
```
Fires at the file `ds_config.json`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {
    "stage": 2
  },
  "bf16": {"enabled": true}
}
```

## References
- https://www.rfc-editor.org/rfc/rfc8259
- https://hjson.github.io/syntax.html
- https://yaml.org/spec/1.1/
- https://toml.io/en/v1.0.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.checks.syntax.misread import is_unfilled
from shardlint.checks.syntax.readers import at_text
from shardlint.report import ERROR, WARNING, Edit, Finding, Fix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.syntax.document import Document, Fault

GUARDS = ("too-deep", "too-large", "too-broken")
"""Faults that are limits of ours: another rule reports them."""

MOST = 5
"""Faults reported a file: later ones are often consequences of the first."""

_NOBODY = {
    "json": "neither Python's json nor hjson reads the file",
    "yaml": "no YAML loader reads the file",
    "toml": "tomllib refuses the file",
    "text": "the deepspeed launcher refuses the hostfile",
}


@rule("SYN001", "syntax-error", severity=ERROR, since="0.1", fails_at="load")
def syntax_error(reading: Reading) -> Iterator[Finding]:
    document = reading.document
    if is_unfilled(document):
        return
    found = [fault for fault in document.faults if fault.code not in GUARDS]
    for fault in found[:MOST]:
        yield _judged(fault, document)


def _judged(fault: Fault, document: Document) -> Finding:
    place = at_text(document, fault.span)
    noticed = at_text(document, fault.related) if fault.related is not None else None
    also = related(noticed, "this is where it shows")
    if fault.limit:
        message = f"{fault.message}; this could not be checked against the loader itself"
        return Finding(message, place, WARNING, confidence="assumed", related=also)
    stage = "launch" if document.language == "text" else "load"
    message = f"{fault.message}; {_NOBODY.get(document.language, 'the file cannot be read')}"
    return Finding(message, place, ERROR, fails_at=stage, related=also, fixes=_fix(fault, document))


def _fix(fault: Fault, document: Document) -> tuple[Fix, ...]:
    if fault.code != "extra-comma":
        return ()
    return (Fix("Delete the comma", True, (Edit(document.name, fault.span, ""),)),)
