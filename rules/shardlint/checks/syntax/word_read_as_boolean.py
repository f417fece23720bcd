"""A word that its YAML loader reads as true or false.

## What it does
Reports `no`, `yes`, `on` and `off` without quotes where a word is wanted: YAML 1.1, which PyYAML reads,
takes them for booleans.

## Why is this bad
`mixed_precision: no` reaches the launcher as false, which has no `lower()`: it stops with an
AttributeError that does not name the key. `eval_strategy: no` reaches the Trainer as false, which is no
IntervalStrategy: a ValueError.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
mixed_precision: no
num_processes: 8
```
Fires at `accelerate.yaml: mixed_precision`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
mixed_precision: 'no'
num_processes: 8
```

## References
- https://yaml.org/type/bool.html
- https://huggingface.co/docs/accelerate/package_reference/cli
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.placed import known_keys
from shardlint.checks.keys.reader import ALL, fails, label, name_of, refusal, remark
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR, Edit, Finding, Fix
from shardlint.schema import check_value
from shardlint.syntax.tree import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.checks.keys.placed import Placed
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.schema import Key


@rule("SYN006", "word-read-as-boolean", severity=ERROR, since="0.1", fails_at="launch")
def word_read_as_boolean(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.document.language != "yaml":
        return
    for found, key in known_keys(reading):
        node = found.entry.node
        if not isinstance(node, Scalar) or node.style != "plain" or not isinstance(found.entry.value, bool):
            continue
        if node.text.lower() not in ("true", "false") and "bool" not in key.types:
            yield from _judged(found, key, node, reading, job)


def _judged(found: Placed, key: Key, node: Scalar, reading: Reading, job: Job) -> Iterator[Finding]:
    entry = found.entry
    place = at_value(reading, entry)
    value = "true" if entry.value else "false"
    said = (
        f"{label(entry)} {node.text} is not quoted, so {reading.view.dialect.name} reads the boolean {value}"
    )
    text = f"'{node.text}'"
    fixes = (Fix(f"Write {text}", True, (Edit(reading.document.name, node.span, text),)),)
    problem = check_value(key, entry.value)
    if problem is not None and problem.refused:
        yield refusal(
            f"{said}; {fails(found.table, key.fails_at)}", place, key.fails_at, reading, job, ALL, fixes=fixes
        )
    elif key.reads == "any" and any(word.matches(node.text) for word in key.words):
        yield remark(
            f"{said}, not the word {node.text}; {name_of(found.table)} refuses {value} with a ValueError",
            place,
            fixes=(fixes[0]._replace(safe=False),),
        )
