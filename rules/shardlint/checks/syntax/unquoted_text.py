"""An unquoted value that hjson reads as text to the end of its line.

## What it does
Reports a value without quotes, in a file that DeepSpeed reads, which is not what hjson makes of it:
`True,` and `cpu,` are texts that end in a comma, `.5` and `1_000` are texts too.

## Why is this bad
hjson, which DeepSpeed loads its file with, knows numbers as JSON writes them, true, false and null; all
else without quotes is text up to the end of the line, commas, brackets and comments included. A checked
section refuses the text; elsewhere any text counts as true.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {
    "stage": 2,
    "overlap_comm": True,
    "contiguous_gradients": true
  }
}
```
Fires at `ds_config.json: zero_optimization.overlap_comm`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {
    "stage": 2,
    "overlap_comm": true,
    "contiguous_gradients": true
  }
}
```

## References
- https://hjson.github.io/syntax.html
- https://github.com/deepspeedai/DeepSpeed/blob/master/deepspeed/runtime/config.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.keys.placed import known_keys
from shardlint.checks.keys.reader import ALL, fails, label, refusal, remark
from shardlint.checks.keys.value_problems import may_be_filled_in, meant_boolean
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.checks.syntax.misread import is_misread, is_unfilled, may_be_misread, swallows
from shardlint.report import ERROR, Edit, Finding, Fix
from shardlint.schema import check_value
from shardlint.syntax.dialects.hjson import HJSON
from shardlint.syntax.dialects.strict_json import STRICT_JSON, json_text
from shardlint.syntax.tree import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.checks.keys.placed import Placed
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.schema import Key
    from shardlint.syntax.keypath import KeyPath
    from shardlint.syntax.view import Entry

LONGEST_TEXT = 40


@rule(
    "SYN004",
    "unquoted-text",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    supersedes=("refused-construct",),
)
def unquoted_text(reading: Reading, job: Job) -> Iterator[Finding]:
    document = reading.document
    if reading.view.dialect is not HJSON or is_unfilled(document) or not may_be_misread(document):
        return
    known: dict[KeyPath, tuple[Placed, Key]] | None = None
    for entry in reading.view.walk():
        node = entry.node
        if not isinstance(node, Scalar) or not is_misread(node, entry.value) or entry.guessed:
            continue
        if known is None:
            known = {found.entry.path: (found, key) for found, key in known_keys(reading)}
        yield from _judged(entry, node, known.get(entry.path), reading, job)


def _judged(
    entry: Entry, node: Scalar, row: tuple[Placed, Key] | None, reading: Reading, job: Job
) -> Iterator[Finding]:
    key = row[1] if row is not None else None
    problem = check_value(key, entry.value) if key is not None else None
    taken = problem is None or problem.kind == "coerced"
    if row is not None and taken and not swallows(node):
        return
    place = at_value(reading, entry)
    meant = meant_boolean(key, node.raw) if key is not None else None
    hint = f"; did you mean {meant}?" if meant else ""
    said = f"{label(entry)} {node.raw} is not quoted, so hjson reads the text {_shown(node.text)}"
    if row is not None and problem is not None and problem.refused:
        text = f"{said}; {fails(row[0].table, row[1].fails_at or 'config')}{hint}"
        stage = row[1].fails_at or "config"
        if may_be_filled_in(row[1], entry):
            yield refused(text, place, stage, False, assumes=(f"no script replaces {node.raw}",))
            return
        yield refusal(text, place, stage, reading, job, ALL, fixes=_fix(reading, node, row[1], safe=True))
    else:
        yield remark(
            f"{said}, and DeepSpeed keeps it{hint}", place, fixes=_fix(reading, node, key, safe=False)
        )


def _shown(text: str) -> str:
    short = text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 4]} ..."
    return json_text(short)


def _fix(reading: Reading, node: Scalar, key: Key | None, safe: bool) -> tuple[Fix, ...]:
    """What was meant, as JSON writes it; nothing where the key does not take that either."""
    meant = STRICT_JSON.read(node)
    if isinstance(meant, float) and not abs(meant) < float("inf"):
        return ()
    if key is not None and check_value(key, meant) is not None:
        return ()
    text = json_text(meant)
    return (Fix(f"Write {text}", safe, (Edit(reading.document.name, node.span, text),)),)
