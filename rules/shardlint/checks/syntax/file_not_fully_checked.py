"""A file that was only checked in part.

## What it does
Says that brackets are nested too deep, or that too much of a file is broken, for all of it to be read.
What stands before that place is checked as usual.

## Why is this bad
No finding in the rest of the file means nothing.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2},
  "data_types": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
    [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
    [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
}
```
Fires at the file `ds_config.json`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2}
}
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.syntax.readers import at_text
from shardlint.checks.syntax.syntax_error import GUARDS
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading


@rule("SYN007", "file-not-fully-checked", severity=INFO, since="0.1")
def file_not_fully_checked(reading: Reading) -> Iterator[Finding]:
    for fault in reading.document.faults:
        if fault.code in GUARDS:
            yield Finding(fault.message, at_text(reading.document, fault.span), INFO)
