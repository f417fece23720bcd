"""The file holds something that its reader refuses and another reader takes.

## What it does
Looks for constructs that only one of the readers of a file takes: comments, trailing commas, keys
without quotes, single quotes, True for true, a byte-order mark (Python's json refuses them, hjson reads
them); a tab inside quotes, an unquoted text that swallows a bracket (hjson cannot read on); several
documents in one YAML file. The reader is the one of the job: DeepSpeed itself reads its file with hjson,
accelerate and the Trainer read the same file with Python's json.

## Why is this bad
The file works in one place and stops the run in another, when it is loaded.

## Example
```yaml train.yaml
model_name_or_path: meta-llama/Llama-2-7b-hf
per_device_train_batch_size: 4
output_dir: out
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto", // filled by the Trainer
  "zero_optimization": {
    "stage": 2,
  }
}
```
Fires at the file `ds_config.json`.

## Use instead
```yaml train.yaml
model_name_or_path: meta-llama/Llama-2-7b-hf
per_device_train_batch_size: 4
output_dir: out
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {
    "stage": 2
  }
}
```

## References
- https://docs.python.org/3/library/json.html
- https://github.com/deepspeedai/DeepSpeed/issues/7303
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.support import related
from shardlint.checks.syntax.json_edits import strict_json
from shardlint.checks.syntax.readers import assumed, at_text, quoted, reader_of
from shardlint.report import ERROR, INFO, Finding, Related, listing
from shardlint.syntax.dialects.strict_json import STRICT_JSON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Fix
    from shardlint.syntax.document import Mark
    from shardlint.syntax.view import Dialect

REPORTED_ELSEWHERE = frozenset({"duplicate-key", "empty"})
BARE_WORDS = frozenset({"quoteless-string", "swallowed", "hjson-break"})
MOST = 4
_WITHOUT_TEXT = {
    "bom": "the byte-order mark",
    "utf-16": "the UTF-16 encoding",
    "missing-comma": "a missing comma",
    "trailing-comma": "a trailing comma",
}


@rule("SYN002", "refused-construct", severity=ERROR, since="0.1", fails_at="load")
def refused_construct(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.document.faults:
        return
    dialect = reading.view.dialect
    marks = _refused(reading, dialect)
    assumes = assumed(reading, job)
    if marks:
        message = (
            f"{_subject(reading, marks[0])} does not pass: {reader_of(reading, job)} reads the file with "
            f"{dialect.name}, which {_effects(marks, dialect)}; the run stops when the file is loaded"
        )
        yield refused(
            message,
            at_text(reading.document, marks[0].span),
            "load",
            not assumes,
            related=_others(reading, marks),
            fixes=_fixes(reading, marks, dialect),
            assumes=assumes,
        )
    elif assumes and reading.format.name == "deepspeed" and reading.document.language == "json":
        yield from _for_others(reading)


def _for_others(reading: Reading) -> Iterator[Finding]:
    """The reader is unknown: what DeepSpeed takes, accelerate and the Trainer may not."""
    marks = _refused(reading, STRICT_JSON)
    if marks:
        message = (
            f"{_subject(reading, marks[0])} is fine for DeepSpeed itself, which reads hjson; accelerate and "
            f"the Trainer read the file with Python's json, which {_effects(marks, STRICT_JSON)}"
        )
        place = at_text(reading.document, marks[0].span)
        yield Finding(message, place, INFO, fixes=_fixes(reading, marks, STRICT_JSON))


def _refused(reading: Reading, dialect: Dialect) -> list[Mark]:
    """The first mark of each kind the dialect refuses; bare words beside placeholders may be some too."""
    marks = reading.document.marks
    template = any(mark.kind == "template" for mark in marks)
    skipped = REPORTED_ELSEWHERE | BARE_WORDS if template else REPORTED_ELSEWHERE
    found: dict[str, Mark] = {}
    for mark in marks:
        if mark.kind not in found and mark.kind not in skipped and dialect.refusal(mark.kind):
            found[mark.kind] = mark
    return list(found.values())


def _subject(reading: Reading, mark: Mark) -> str:
    text = quoted(reading.document, mark.span)
    return _WITHOUT_TEXT.get(mark.kind) or f"`{text}`"


def _effects(marks: list[Mark], dialect: Dialect) -> str:
    refusals = [dialect.refusal(mark.kind) for mark in marks]
    effects = list(dict.fromkeys(refusal.effect for refusal in refusals if refusal is not None))
    return listing(effects[:MOST], "and")


def _others(reading: Reading, marks: list[Mark]) -> tuple[Related, ...]:
    return tuple(
        other
        for mark in marks[1:MOST]
        for other in related(at_text(reading.document, mark.span), f"{_subject(reading, mark)} neither")
    )


def _fixes(reading: Reading, marks: list[Mark], dialect: Dialect) -> tuple[Fix, ...]:
    return strict_json(reading.document) if dialect is STRICT_JSON else ()
