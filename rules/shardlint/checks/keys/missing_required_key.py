"""A key without which the file is refused.

## What it does
Reports an accelerate file without `distributed_type`, a SageMaker one without its instance type or role,
SIZE_BASED_WRAP without `fsdp_min_num_params` under accelerate before 1.13, whose own default it refuses,
distributed_type TP without `tp_size` under accelerate 1.4 to 1.6, and a DeepSpeed scheduler without `params`
or without the ones its class demands (`total_num_steps`, `cycle_min_lr`, `cycle_max_lr`).

## Why is this bad
accelerate refuses to load the file. DeepSpeed fails when it builds the scheduler, with a message about a
missing positional argument.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001}},
  "scheduler": {"type": "WarmupDecayLR", "params": {"warmup_max_lr": 0.0001, "warmup_num_steps": 100}}
}
```
Fires at `ds_config.json: scheduler.params`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001}},
  "scheduler": {
    "type": "WarmupDecayLR",
    "params": {"warmup_max_lr": 0.0001, "warmup_num_steps": 100, "total_num_steps": 1000}
  }
}
```

## References
- https://deepspeed.readthedocs.io/en/latest/schedulers.html
- https://huggingface.co/docs/accelerate/package_reference/cli
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import whole
from shardlint.checks.keys.reader import ALL, NONE, agreement, fails, refusal, span_of_releases
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_word, runs, written
from shardlint.checks.support import at_missing, at_value, related
from shardlint.report import ERROR
from shardlint.schema import suggest, table
from shardlint.syntax.view import merge_sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

WHOLE_DEFAULT = "1.13.0"
"""The first accelerate with a whole number for the default of fsdp_min_num_params."""

TENSOR_KIND, NO_TENSOR_KIND = "1.4.0", "1.7.0"
"""The first accelerate with distributed_type TP, and the first that does not read tp_config any more."""

SAGEMAKER = "AMAZON_SAGEMAKER"


@rule("KEY013", "missing-required-key", severity=ERROR, since="0.1", fails_at="config")
def missing_required_key(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.document.faults:
        return
    if reading.format.name == "accelerate":
        yield from _launcher(reading, job)
        yield from _smallest_unit(reading, job)
        yield from _tensor_parallel(reading, job)
    elif reading.format.name == "deepspeed":
        yield from _schedule(reading, job)


def _launcher(reading: Reading, job: Job) -> Iterator[Finding]:
    mapping = reading.view.mapping
    if mapping is None or merge_sources(mapping):
        return
    here = table("accelerate")
    strangers = [entry.name for entry in reading.view.entries() if here.find((entry.name,)) is None]
    sagemaker = reading.view.value("compute_environment") == SAGEMAKER
    for key in here.children():
        wanted = key.default == "required" and (sagemaker or not key.when)
        absent = reading.view.get(key.name) is None and suggest(key.name, strangers) is None
        if wanted and absent:
            yield refusal(
                f"{key.name} is missing; {fails(here, 'load')}",
                at_missing(reading, reading.view.get(), key.name),
                "load",
                reading,
                job,
                ALL,
            )


def _smallest_unit(reading: Reading, job: Job) -> Iterator[Finding]:
    """Before 1.13 the launcher passed its default on as 100000000.0, which is no whole number."""
    if not runs(reading, "FSDP") or fsdp_word(reading, "auto_wrap_policy") != "size_based_wrap":
        return
    shared = agreement(job, "accelerate", "", WHOLE_DEFAULT)
    if written(reading, "min_num_params") or shared == NONE or not job.settings.versions("accelerate").known:
        return
    section, here = reading.view.get("fsdp_config"), table("accelerate")
    deed = (
        fails(here, "config") if shared == ALL else f"{span_of_releases(here, '', WHOLE_DEFAULT)} refuse that"
    )
    yield refusal(
        f"SIZE_BASED_WRAP is without fsdp_min_num_params, whose default is 100000000.0; {deed}",
        at_missing(reading, section, "fsdp_min_num_params"),
        "config",
        reading,
        job,
        shared,
        help="Write fsdp_min_num_params: 100000000.",
    )


def _tensor_parallel(reading: Reading, job: Job) -> Iterator[Finding]:
    """From 1.4 to 1.6 there was a kind of its own for tensor parallelism, which had no default size."""
    versions, size = job.settings.versions("accelerate"), reading.view.get("tp_config", "tp_size")
    alone = size is None or whole(size) == 1
    if not runs(reading, "TP") or not alone or not versions.none_at_least(NO_TENSOR_KIND):
        return
    entry, section = reading.view.get("distributed_type"), reading.view.get("tp_config")
    if entry is not None and versions.all_at_least(TENSOR_KIND):
        missing = at_missing(reading, section, "tp_config" if section is None else "tp_size")
        yield refusal(
            "distributed_type TP needs a tp_config with tp_size above 1, without which "
            f"{fails(table('accelerate'), 'config')}",
            at_value(reading, entry),
            "config",
            reading,
            job,
            ALL,
        )._replace(related=related(missing if size is None else at_value(reading, size), "the size"))


def _schedule(reading: Reading, job: Job) -> Iterator[Finding]:
    kind = reading.view.value("scheduler", "type")
    here = table("deepspeed")
    condition = f"scheduler.type={kind}"
    known = any(row.when == condition for row in here.variants("scheduler.params.last_batch_iteration"))
    if not isinstance(kind, str) or not known:
        return
    section = reading.view.get("scheduler", "params")
    if section is None:
        text = f"scheduler.params is missing; {fails(here, 'engine')}"
        place = at_missing(reading, reading.view.get("scheduler"), "params")
        yield refusal(text, place, "engine", reading, job, ALL)
        return
    stated = section.value
    for key in here.children("scheduler.params") if isinstance(stated, dict) else ():
        rows = here.variants(key.path)
        wanted = any(row.when == condition and row.default == "required" for row in rows)
        if wanted and isinstance(stated, dict) and key.name not in stated:
            text = f"{kind} needs {key.name}, which is missing; {fails(here, 'engine')}"
            yield refusal(text, at_missing(reading, section, key.name), "engine", reading, job, ALL)
