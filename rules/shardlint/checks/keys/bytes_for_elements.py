"""A size in elements looks like a number of bytes.

## What it does
Reports bucket and buffer sizes of `zero_optimization` that are a multiple of 1 MiB and at least 256 Mi, such
as 536870912.

## Why is this bad
DeepSpeed counts elements there: 536870912 of them take 1 GiB in bf16, and communication that overlaps holds
two buckets.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2, "reduce_bucket_size": 536870912}
}
```
Fires at `ds_config.json: zero_optimization.reduce_bucket_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2, "reduce_bucket_size": 200000000}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#zero-optimizations-for-fp16-training
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.placed import known_keys
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.formats.values import integer
from shardlint.report import INFO, Finding, gib

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading

LEAST, UNIT = 2**28, 2**20


@rule("KEY022", "bytes-for-elements", severity=INFO, since="0.1")
def bytes_for_elements(reading: Reading) -> Iterator[Finding]:
    for found, key in known_keys(reading):
        size = integer(found.entry.value)
        if key.unit != "elements" or size is None or size < LEAST or size % UNIT or str(size) == key.default:
            continue
        yield Finding(
            f"{found.name} {size} counts elements, {gib(2 * size)} in 16 bits, not bytes",
            at_value(reading, found.entry),
            INFO,
        )
