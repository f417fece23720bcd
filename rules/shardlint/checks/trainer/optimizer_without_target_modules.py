"""GaLore or APOLLO is chosen, but no modules for it.

## What it does
Reports `optim: galore_...` or `apollo_...` without `optim_target_modules`.

## Why is this bad
These optimizers work on a low-rank form of chosen weight matrices and need to be told which. The Trainer
refuses to build them without.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
optim: galore_adamw
```
```toml shardlint.toml
[facts]
versions.transformers = "5.24.0"
```
Fires at `train.yaml: optim`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
optim: galore_adamw
optim_target_modules: all-linear
```
```toml shardlint.toml
[facts]
versions.transformers = "5.24.0"
```

## References
- https://huggingface.co/docs/transformers/optimizers
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import absent, refused, word
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

LOW_RANK = ("galore_", "apollo_")


@rule(
    "TRN010",
    "optimizer-without-target-modules",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=LOW_RANK,
)
def optimizer_without_target_modules(reading: Reading) -> Iterator[Finding]:
    entry = reading.view.get("optim")
    if reading.format.name != "hf-args" or entry is None or not (word(entry) or "").startswith(LOW_RANK):
        return
    if absent(reading, "optim_target_modules"):
        yield refused(
            f"optim {entry.value} needs optim_target_modules, which is not there; the Trainer fails when "
            f"it builds "
            "the optimizer",
            at_value(reading, entry),
            "engine",
            absent(reading, "deepspeed"),
            help="Set optim_target_modules: all-linear, or a list of module names.",
            assumes=("the optimizer is not left to DeepSpeed",),
        )
