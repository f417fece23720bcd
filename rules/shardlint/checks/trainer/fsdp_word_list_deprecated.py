"""`fsdp` as a list of words is the old form.

## What it does
Notes words in `fsdp` where transformers 5.10 or later runs.

## Why is this bad
From 5.10 on `fsdp` is a switch and everything else stands in `fsdp_config`. The old form still works and
logs that it will go.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: full_shard auto_wrap
fsdp_config:
  version: 2
```
```toml shardlint.toml
[facts]
versions.transformers = "5.24.0"
```
Fires at `train.yaml: fsdp`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
fsdp: true
fsdp_config:
  version: 2
```
```toml shardlint.toml
[facts]
versions.transformers = "5.24.0"
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.checks.trainer.fsdp_words import DEFAULT_2_SINCE, chosen
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading


@rule("TRN019", "fsdp-word-list-deprecated", severity=INFO, since="0.1", about=("fsdp",))
def fsdp_word_list_deprecated(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("fsdp")
    if reading.format.name != "hf-args" or entry is None or not chosen(entry):
        return
    if job.settings.versions("transformers").all_at_least(DEFAULT_2_SINCE):
        yield Finding(
            f"fsdp as words is deprecated since transformers {DEFAULT_2_SINCE}",
            at_value(reading, entry),
            INFO,
            help="Write fsdp: true and put the rest in fsdp_config.",
        )
