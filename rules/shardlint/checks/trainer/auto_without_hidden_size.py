"""A bucket size is "auto", but the model has no hidden size to work it out from.

## What it does
Reports `"auto"` for `reduce_bucket_size`, `stage3_prefetch_bucket_size` and
`stage3_param_persistence_threshold` where the settings say that the model's config has no `hidden_size`
(`model.has_hidden_size = false`).

## Why is this bad
The Trainer and accelerate fill these three from the hidden size of the model's config and raise where it
has none, as for a class of one's own.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2, "reduce_bucket_size": "auto"}
}
```
```toml shardlint.toml
[facts]
consumer = "hf-trainer"
model.has_hidden_size = false
```
Fires at `ds_config.json: zero_optimization.reduce_bucket_size`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2, "reduce_bucket_size": 1000000}
}
```
```toml shardlint.toml
[facts]
consumer = "hf-trainer"
model.has_hidden_size = false
```

## References
- https://huggingface.co/docs/transformers/deepspeed#zero-configuration
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import HF_READERS, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR
from shardlint.resolve.hidden_sizes import FROM_HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "TRN004",
    "auto-without-hidden-size",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("model.has_hidden_size",),
)
def auto_without_hidden_size(reading: Reading, job: Job) -> Iterator[Finding]:
    fact = job.settings.flag("model.has_hidden_size")
    if reading.format.name != "deepspeed" or fact.value is not False or job.consumer.value not in HF_READERS:
        return
    for name in FROM_HIDDEN:
        entry = reading.view.get("zero_optimization", name)
        if entry is not None and entry.value == "auto":
            yield refused(
                f'{name} is "auto" and filled from hidden_size of the model config, which has none '
                f"({fact.origin}); training fails to start",
                at_value(reading, entry),
                "engine",
                fact.certain and job.consumer.certain,
                help="Write numbers: 1e6 to 5e8 elements for a bucket, 1e4 to 1e6 for the threshold.",
                related=related(fact.place, "the missing hidden_size is stated here"),
                assumes=(job.consumer.origin,),
            )
