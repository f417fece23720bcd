"""A value of the DeepSpeed settings differs from the TrainingArguments they are used with.

## What it does
Compares the learning rate, betas, eps, weight decay, gradient clipping, warm-up and total steps of a
DeepSpeed file, and the accumulation and clipping of accelerate's `deepspeed_config`, with the training
arguments.

## Why is this bad
The Trainer collects every value that differs from its own argument and raises one ValueError when training
starts. Only `"auto"` is filled in. The comparison is exact: `0.0001` and `"1e-4"` differ.

## Example
```yaml train.yaml
per_device_train_batch_size: 2
output_dir: out
learning_rate: 5.0e-5
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001}}
}
```
Fires at `ds_config.json: optimizer.params.lr`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 2
output_dir: out
learning_rate: 5.0e-5
deepspeed: ds_config.json
```
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2},
  "optimizer": {"type": "AdamW", "params": {"lr": "auto"}}
}
```

## References
- https://huggingface.co/docs/transformers/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.checks.files import argument, filled_by_trainer
from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import config_file, runs
from shardlint.checks.support import at_value, related, replace_value
from shardlint.formats.reading import is_open
from shardlint.formats.values import lax_number, number
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.plan import Fact
    from shardlint.report import Finding
    from shardlint.syntax.view import Entry

IN_FILE = (
    (("gradient_clipping",), "max_grad_norm"),
    (("optimizer", "params", "lr"), "learning_rate"),
    (("optimizer", "params", "eps"), "adam_epsilon"),
    (("optimizer", "params", "weight_decay"), "weight_decay"),
    (("scheduler", "params", "warmup_max_lr"), "learning_rate"),
    (("scheduler", "params", "warmup_num_steps"), "warmup_steps"),
    (("scheduler", "params", "total_num_steps"), "max_steps"),
)
IN_LAUNCHER = (
    (("deepspeed_config", "gradient_accumulation_steps"), "gradient_accumulation_steps"),
    (("deepspeed_config", "gradient_clipping"), "max_grad_norm"),
)
BETAS = ("optimizer", "params", "betas")


class Pair(NamedTuple):
    """A key of a file, the argument it must equal, and the argument's value as the comparison sees it."""

    entry: Entry
    name: str
    fact: Fact[object]
    wanted: object


@rule(
    "TRN001",
    "trainer-value-mismatch",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    supersedes=("fact-contradicts-file",),
)
def trainer_value_mismatch(reading: Reading, job: Job) -> Iterator[Finding]:
    if not filled_by_trainer(job) and not _trainer_in(job):
        return
    for pair in _pairs(reading, job):
        entry, launcher = pair.entry, reading.format.name == "accelerate"
        place, key = at_value(reading, entry), ".".join(str(step) for step in entry.path)
        open_value = "" if launcher else '"auto"'
        yield refused(
            f"{key} {_shown(entry.value)} differs from {pair.name} {_shown(pair.wanted)} "
            f"({pair.fact.origin}); the "
            "Trainer refuses to start",
            place,
            "config",
            pair.fact.certain and job.consumer.certain and (not launcher or _launched_together(job)),
            help="Remove it here: the Trainer sets it."
            if launcher
            else 'Write "auto": the Trainer fills in its own.',
            related=related(pair.fact.place, f"{pair.name} is {_shown(pair.fact.value)} here"),
            fixes=(replace_value(f'Set {key} to "auto"', place, open_value),) if open_value else (),
            assumes=("no setting says that the two files are used together",),
        )


def _launched_together(job: Job) -> bool:
    """Whether a setting says that this launcher's file starts this training."""
    return any(job.settings.fact(name).known for name in ("consumer", "launch.config_file", "launch.train"))


def _trainer_in(job: Job) -> bool:
    """Whether training arguments are among the job's files."""
    return job.reading("hf-args") is not None and job.consumer.value in ("accelerate", "hf-trainer")


def _pairs(reading: Reading, job: Job) -> Iterator[Pair]:
    table = (
        IN_FILE if reading.format.name == "deepspeed" else IN_LAUNCHER if runs(reading, "DEEPSPEED") else ()
    )
    if reading.format.name == "accelerate" and config_file(reading) is not None:
        return
    for path, name in table:
        entry, fact = reading.view.get(*path), argument(job, name)
        if entry is None or is_open(entry.value) or entry.value is None:
            continue
        wanted = _wanted(name, fact, job)
        if wanted is not None and _differs(entry, wanted, reading):
            yield Pair(entry, name, fact, wanted)
    yield from _betas(reading, job)


def _wanted(name: str, fact: Fact[object], job: Job) -> float | None:
    """The number the Trainer compares with; None where it works it out from things not known here."""
    stated = lax_number(fact.value)
    if name == "warmup_steps":
        ratio = argument(job, "warmup_ratio").value
        counts = stated is not None and (stated >= 1 or (stated == 0 and not ratio))
        return max(1, stated) if counts and stated is not None else None
    if name == "max_steps":
        return stated if stated is not None and stated > 0 else None
    return stated


def _differs(entry: Entry, wanted: float, reading: Reading) -> bool:
    """`!=` on the values as Python has them. The launcher's file is read with int() and float()."""
    own = lax_number(entry.value) if reading.format.name == "accelerate" else number(entry.value)
    if own is None:
        return False
    zero_warmup = entry.name == "warmup_num_steps" and wanted == 1 and own == 0
    return own != wanted and not zero_warmup


def _betas(reading: Reading, job: Job) -> Iterator[Pair]:
    entry = reading.view.get(*BETAS) if reading.format.name == "deepspeed" else None
    if entry is None or not isinstance(entry.value, list) or len(entry.value) != 2:
        return
    for at, name in enumerate(("adam_beta1", "adam_beta2")):
        fact = argument(job, name)
        wanted, own = lax_number(fact.value), number(entry.value[at])
        if wanted is not None and own is not None and own != wanted:
            yield Pair(entry, name, fact, wanted)
            return


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
