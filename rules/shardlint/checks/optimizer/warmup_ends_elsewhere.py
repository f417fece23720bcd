"""The warm-up ends at another learning rate than the optimizer is given.

## What it does
Reports a warm-up schedule of a DeepSpeed file without `warmup_max_lr`, or with another value than the `lr`
of the optimizer: `WarmupDecayLR` in every release, `WarmupLR` before DeepSpeed 0.17.2.

## Why is this bad
The schedule sets the learning rate at every step and does not look at the optimizer's `lr`. Without
`warmup_max_lr` it climbs to its default of 0.001, which may be a thousand times too much.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "AdamW", "params": {"lr": 5e-7}},
  "scheduler": {"type": "WarmupDecayLR", "params": {"warmup_num_steps": 10, "total_num_steps": 100}}
}
```
Fires at `ds_config.json: scheduler.params`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "AdamW", "params": {"lr": 5e-7}},
  "scheduler": {
    "type": "WarmupDecayLR",
    "params": {"warmup_max_lr": 5e-7, "warmup_num_steps": 10, "total_num_steps": 100}
  }
}
```

## References
- https://deepspeed.readthedocs.io/en/latest/schedulers.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.support import at_missing, at_value, related
from shardlint.formats.values import number
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading

DEFAULT = 0.001
FROM_OPTIMIZER_SINCE = "0.17.2"
"""WarmupLR takes the optimizer's rate from this release on; 0.17.1 still ended at 0.001."""


@rule("OPT007", "warmup-ends-elsewhere", severity=WARNING, since="0.1", about=("warmup",))
def warmup_ends_elsewhere(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name != "deepspeed":
        return
    kind = reading.view.value("scheduler", "type")
    params, lr_entry = reading.view.get("scheduler", "params"), reading.view.get("optimizer", "params", "lr")
    lr = number(lr_entry.value) if lr_entry is not None else None
    if kind not in ("WarmupLR", "WarmupDecayLR") or params is None or lr_entry is None or lr is None:
        return
    entry = reading.view.get("scheduler", "params", "warmup_max_lr")
    here = related(at_value(reading, lr_entry), f"lr {lr_entry.value} is given here")
    if entry is not None and entry.value is not None:
        top = number(entry.value)
        if top is not None and top != lr:
            yield Finding(
                f"the warm-up ends at warmup_max_lr {top}, not at the optimizer's lr {lr}; the schedule "
                f"decides",
                at_value(reading, entry),
                WARNING,
                help="Write the same rate in both places.",
                related=here,
            )
        return
    versions = job.settings.versions("deepspeed")
    if lr == DEFAULT or (kind == "WarmupLR" and versions.all_at_least(FROM_OPTIMIZER_SINCE)):
        return
    which = "" if kind == "WarmupDecayLR" else f" before DeepSpeed {FROM_OPTIMIZER_SINCE}"
    yield Finding(
        f"warmup_max_lr is missing: {kind}{which} ends its warm-up at 0.001, not at the optimizer's lr {lr}",
        at_missing(reading, params, "warmup_max_lr"),
        WARNING,
        confidence="certain" if not which else "assumed",
        help=f"Set warmup_max_lr to {lr}.",
        related=here,
    )
