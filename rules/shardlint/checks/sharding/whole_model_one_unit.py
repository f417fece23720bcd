"""FSDP has no wrap policy: the whole model is one unit.

## What it does
Reports accelerate's `fsdp_config` with `fsdp_auto_wrap_policy: NO_WRAP`, with `SIZE_BASED_WRAP` and a minimum
of 0, or, as a note, without a policy, which means the same.

## Why is this bad
FSDP gathers one unit at a time. With one unit every rank holds all parameters in the compute format at once,
on top of its shard, during the whole forward and backward pass.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
mixed_precision: bf16
num_processes: 4
fsdp_config:
  fsdp_version: 1
  fsdp_sharding_strategy: FULL_SHARD
  fsdp_auto_wrap_policy: NO_WRAP
```
Fires at `accelerate.yaml: fsdp_config.fsdp_auto_wrap_policy`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
mixed_precision: bf16
num_processes: 4
fsdp_config:
  fsdp_version: 1
  fsdp_sharding_strategy: FULL_SHARD
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/fsdp
- https://docs.pytorch.org/docs/stable/fsdp.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import absent, whole, word
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_word, runs
from shardlint.checks.support import at_missing, at_value
from shardlint.report import INFO, WARNING, Finding, gib
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.plan import TrainingPlan

COMPUTE_BYTES = {"bf16": 2, "fp16": 2, "fp32": 4}


@rule("SHD007", "whole-model-one-unit", severity=WARNING, since="0.1", about=("fsdp",))
def whole_model_one_unit(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = job.reading("accelerate")
    if reading is None or not runs(reading, "FSDP") or _wrapped_elsewhere(job) or plan.shard.value == 1:
        return
    entry = fsdp_entry(reading, "auto_wrap_policy")
    strategy = fsdp_entry(reading, "sharding_strategy")
    if word(strategy) == "no_shard" or (entry is not None and not _one_unit(reading)):
        return
    known = plan.shard.known and not (strategy and isinstance(strategy.value, Template))
    section = reading.view.get("fsdp_config")
    place = at_value(reading, entry) if entry else at_missing(reading, section, "fsdp_auto_wrap_policy")
    how = (
        f"fsdp_auto_wrap_policy {entry.value} does"
        if entry
        else "without fsdp_auto_wrap_policy accelerate does"
    )
    yield Finding(
        f"{how} not wrap layers: the whole model is one FSDP unit and {_gathered(plan)}",
        place,
        WARNING if entry and known else INFO,
        help="Use TRANSFORMER_BASED_WRAP with the decoder layer class, to gather one layer at a time.",
    )


def _one_unit(reading: Reading) -> bool:
    policy = fsdp_word(reading, "auto_wrap_policy")
    return policy == "no_wrap" or (
        policy == "size_based_wrap" and whole(fsdp_entry(reading, "min_num_params")) == 0
    )


def _wrapped_elsewhere(job: Job) -> bool:
    """The Trainer's own fsdp arguments replace the wrap policy of the launcher's file."""
    arguments = job.reading("hf-args")
    return arguments is not None and not (absent(arguments, "fsdp") and absent(arguments, "fsdp_config"))


def _gathered(plan: TrainingPlan) -> str:
    size = COMPUTE_BYTES.get(plan.precision.value or "")
    if plan.params.value is None or size is None:
        return "every rank gathers all parameters at once"
    return (
        f"every rank gathers all {plan.params.value:,} parameters at once, {gib(plan.params.value * size)} "
        f"in {plan.precision.value}"
    )
