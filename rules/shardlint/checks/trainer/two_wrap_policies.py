"""FSDP is told to wrap by size and by layer class.

## What it does
Reports `min_num_params` above 0 beside `transformer_layer_cls_to_wrap` in the Trainer's `fsdp_config`.

## Why is this bad
Only one of them can cut the model into units. The Trainer refuses the pair up to transformers 5.9; later
releases take the classes and drop the size without a word.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  min_num_params: 1000000
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
```
Fires at `train.yaml: fsdp_config.min_num_params`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.checks.trainer.fsdp_words import config
from shardlint.formats.values import number
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

TAKEN_SINCE = "5.10.0"
"""From here on the pair may be taken; 5.9.0 still refuses it."""


@rule(
    "TRN013", "two-wrap-policies", severity=ERROR, since="0.1", fails_at="config", about=("min_num_params",)
)
def two_wrap_policies(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name not in ("hf-args", "fsdp"):
        return
    size, layers = config(reading, "min_num_params"), config(reading, "transformer_layer_cls_to_wrap")
    if size is None or layers is None or (number(size.value) or 0) <= 0:
        return
    old = job.settings.versions("transformers").none_at_least(TAKEN_SINCE)
    yield refused(
        f"min_num_params {size.value} and transformer_layer_cls_to_wrap are both set; the Trainer "
        f"{'refuses to start' if old else 'takes the classes, or refuses the pair before transformers 5.10'}",
        at_value(reading, size),
        "config",
        old,
        help="Keep the layer class and delete min_num_params.",
        related=related(at_value(reading, layers), "the layer class is named here"),
        assumes=("the release of transformers decides",),
    )
