"""A number that its YAML loader reads as text.

## What it does
Reports `1e-5` and its like where a number is wanted and nothing is known to convert text: PyYAML takes a
number with an exponent only if it has a dot and a sign in the exponent (`1.0e-5`).

## Why is this bad
HfArgumentParser hands the text on as it is, and the optimizer fails on it at the first comparison. A
script that parses the value by type (TRL's own parser does) is not affected.

## Example
```yaml train.yaml
model_name_or_path: meta-llama/Llama-2-7b-hf
per_device_train_batch_size: 4
output_dir: out
learning_rate: 2e-5
```
Fires at `train.yaml: learning_rate`.

## Use instead
```yaml train.yaml
model_name_or_path: meta-llama/Llama-2-7b-hf
per_device_train_batch_size: 4
output_dir: out
learning_rate: 2.0e-5
```

## References
- https://yaml.org/type/float.html
- https://github.com/yaml/pyyaml/issues/173
- https://github.com/hiyouga/LlamaFactory/issues/4014
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from shardlint.checks.keys.placed import placed
from shardlint.checks.keys.value_problems import spells_whole
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.checks.syntax.misread import looks_like_number
from shardlint.checks.syntax.readers import reader_of
from shardlint.report import INFO, WARNING, Edit, Finding, Fix
from shardlint.schema import check_value
from shardlint.syntax.expression import expression
from shardlint.syntax.tree import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.checks.keys.placed import Placed
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading

NUMERIC = (
    "lr",
    "rate",
    "eps",
    "epsilon",
    "decay",
    "ratio",
    "temperature",
    "beta",
    "coef",
    "dropout",
    "momentum",
)
"""Last words of names whose value is a number, for keys the tables do not have."""

_EXPONENT = expression(
    r"(?P<sign>[-+]?)(?P<whole>\d*)(?:\.(?P<part>\d*))?[eE](?P<exponent>[-+]?\d+)\Z", re.ASCII
)


@rule("SYN005", "number-read-as-text", severity=WARNING, since="0.1")
def number_read_as_text(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.document.language != "yaml" or job.consumer.value == "trl":
        return
    for found in placed(reading):
        node = found.entry.node
        if not isinstance(node, Scalar) or node.style != "plain" or not isinstance(found.entry.value, str):
            continue
        if looks_like_number(node.text) and _wants_number(found):
            yield _finding(found, node, reading, job)


def _wants_number(found: Placed) -> bool:
    key = found.key
    if key is None:
        return found.name.lower().rpartition("_")[2] in NUMERIC
    if "str" in key.types or not {"int", "float"} & set(key.types) or spells_whole(key):
        return False
    return check_value(key, found.entry.value) is not None


def _finding(found: Placed, node: Scalar, reading: Reading, job: Job) -> Finding:
    name, loader, meant = found.entry.key, reading.view.dialect.name, _with_dot(node.text)
    message = (
        f'{name} {node.text} is the string "{node.text}" to {loader}, which takes an exponent only after '
        f"a dot and with a sign; {reader_of(reading, job)} gets text where a number is expected"
    )
    fixes: tuple[Fix, ...] = ()
    if meant:
        message += f"; write {meant}"
        fixes = (Fix(f"Write {meant}", True, (Edit(reading.document.name, node.span, meant),)),)
    assumes = ("nothing between the loader and the optimizer converts text to numbers",)
    place = at_value(reading, found.entry)
    severity = INFO if found.key is None else WARNING
    return Finding(message, place, severity, confidence="assumed", fixes=fixes, assumes=assumes)


def _with_dot(text: str) -> str | None:
    """`2e-5` as `2.0e-5`: with a dot and a signed exponent; None for what has no exponent."""
    found = _EXPONENT.match(text)
    if found is None:
        return None
    exponent = found["exponent"] if found["exponent"][0] in "-+" else f"+{found['exponent']}"
    return f"{found['sign']}{found['whole'] or '0'}.{found['part'] or '0'}e{exponent}"
