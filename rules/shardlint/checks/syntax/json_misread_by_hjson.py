"""Broken JSON that hjson reads in its own way.

## What it does
Reports a quote that is missing or left over where hjson, which DeepSpeed reads its file with, still finds
a text: the key or value it reads is not the one that was meant.

## Why is this bad
`stage": 3` gives a key with a quote in its name. No error says so; the setting is missing, or DeepSpeed
refuses a key nobody can see a fault in.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  gradient_clipping": 1.0,
  "zero_optimization": {"stage": 2}
}
```
Fires at the file `ds_config.json`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "gradient_clipping": 1.0,
  "zero_optimization": {"stage": 2}
}
```

## References
- https://hjson.github.io/syntax.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.syntax.misread import is_unfilled
from shardlint.checks.syntax.readers import at_text, quoted
from shardlint.report import WARNING, Finding
from shardlint.syntax.dialects.hjson import HJSON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.syntax.document import Document, Mark

MOST = 5


@rule("SYN008", "json-misread-by-hjson", severity=WARNING, since="0.1")
def json_misread_by_hjson(reading: Reading) -> Iterator[Finding]:
    document = reading.document
    if reading.view.dialect is not HJSON or document.faults or is_unfilled(document):
        return
    marks = [mark for mark in document.marks if mark.kind in ("stray-quote", "hjson-only")]
    for mark in marks[:MOST]:
        yield Finding(_message(document, mark), at_text(document, mark.span), WARNING)


def _message(document: Document, mark: Mark) -> str:
    text = quoted(document, mark.span)
    if mark.kind == "stray-quote":
        return f"the key `{text}` has one quote; hjson takes it for a part of the name DeepSpeed gets"
    return f"`{text}` is broken JSON that hjson reads in its own way: DeepSpeed gets other keys than it seems"
