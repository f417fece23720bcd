"""TF32 is asked of a GPU that does not have it.

## What it does
Reports `tf32: true` in training arguments for a GPU of compute capability below 8.0.

## Why is this bad
TF32 came with Ampere. TrainingArguments checks the GPU and refuses the flag on older ones.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
tf32: true
```
```toml shardlint.toml
[facts]
gpu.compute_capability = 7.5
```
Fires at `train.yaml: tf32`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
tf32: false
```
```toml shardlint.toml
[facts]
gpu.compute_capability = 7.5
```

## References
- https://huggingface.co/docs/transformers/perf_train_gpu_one#tf32
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding

AMPERE = 8.0


@rule("PRC034", "tf32-unsupported-by-gpu", severity=ERROR, since="0.1", fails_at="config", about=("tf32",))
def tf32_unsupported_by_gpu(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading, card = job.reading("hf-args"), plan.capability
    entry = reading.view.get("tf32") if reading is not None else None
    if reading is None or entry is None or not is_on(entry) or card.value is None or card.value >= AMPERE:
        return
    yield refused(
        f"tf32 needs compute capability 8.0, this GPU has {card.value:.1f} ({card.origin}); the Trainer "
        f"refuses to "
        "start",
        at_value(reading, entry),
        "config",
        card.certain,
        help="Set tf32: false.",
        related=related(card.place, "the GPU is given here"),
        assumes=("the GPU is not certain",),
    )
