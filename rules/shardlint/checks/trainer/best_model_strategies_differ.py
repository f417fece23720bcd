"""The best model is to be loaded, but it is saved and evaluated at different times.

## What it does
Reports `load_best_model_at_end` with different `eval_strategy` and `save_strategy`.

## Why is this bad
Every checkpoint needs an evaluation to be compared by. TrainingArguments refuses strategies that differ,
other than `save_strategy: best`.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
load_best_model_at_end: true
eval_strategy: epoch
save_strategy: steps
```
Fires at `train.yaml: save_strategy`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
load_best_model_at_end: true
eval_strategy: epoch
save_strategy: epoch
```

## References
- https://huggingface.co/docs/transformers/main_classes/trainer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, refused, word
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

TIMES = ("no", "steps", "epoch")


@rule(
    "TRN011",
    "best-model-strategies-differ",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("load_best_model_at_end",),
)
def best_model_strategies_differ(reading: Reading) -> Iterator[Finding]:
    best, saved = reading.view.get("load_best_model_at_end"), reading.view.get("save_strategy")
    judged = reading.view.get("eval_strategy") or reading.view.get("evaluation_strategy")
    if reading.format.name != "hf-args" or best is None or not is_on(best) or saved is None or judged is None:
        return
    when, at = word(saved), word(judged)
    if when not in TIMES or at not in TIMES or when == at:
        return
    yield refused(
        f"save_strategy {when} and {judged.name} {at} differ while load_best_model_at_end is on; the "
        f"Trainer refuses "
        "to start",
        at_value(reading, saved),
        "config",
        True,
        help="Give both the same value.",
        related=related(at_value(reading, judged), f"evaluation runs at {at}"),
    )
