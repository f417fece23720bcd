"""A quantised model is sharded with ZeRO-3.

## What it does
Reports ZeRO-3, or accelerate's `zero3_init_flag`, for a model that is loaded in 4 or 8 bit, is stored
quantised, or is loaded with a `device_map`.

## Why is this bad
transformers does not build a quantised model in shards: every rank loads all of it before ZeRO-3 divides
it, so loading takes the memory sharding was to save. Weights stored quantised (GPTQ, AWQ) cannot be divided
at all, and a `device_map` is refused together with ZeRO-3.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
mixed_precision: bf16
deepspeed_config:
  zero_stage: 3
  zero3_init_flag: true
```
```toml shardlint.toml
[facts]
training_args.load_in_4bit = true
```
Fires at `accelerate.yaml: deepspeed_config.zero3_init_flag`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
mixed_precision: bf16
deepspeed_config:
  zero_stage: 2
  zero3_init_flag: false
```
```toml shardlint.toml
[facts]
training_args.load_in_4bit = true
```

## References
- https://huggingface.co/docs/peft/accelerate/deepspeed
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from shardlint.checks.files import argument
from shardlint.checks.judging import is_off
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import WARNING, Finding, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import Fact, TrainingPlan

BITS = {"load_in_4bit": "4-bit", "load_in_8bit": "8-bit"}
STORED = ("gptq", "awq", "aqlm", "eetq", "hqq")
IN_NAME = re.compile(r"(?i)(?<![a-z])(gptq|awq|int4|int8|aqlm|bnb-4bit)(?![a-z])")
"""How repositories of quantised weights say so in their name."""


class Quantized(NamedTuple):
    """How the weights are held, and who says so."""

    what: str
    consequence: str
    fact: Fact[object]


@rule("SHD023", "quantized-weights-under-zero3", severity=WARNING, since="0.1")
def quantized_weights_under_zero3(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    found = _quantized(plan, job)
    place = _place(plan, job, found) if found is not None and plan.stage.value == 3 else None
    if found is None or place is None:
        return
    yield Finding(
        f"ZeRO-3 with {found.what} ({found.fact.origin}): {found.consequence}",
        place,
        WARNING,
        confidence="assumed",
        help="Use ZeRO-2 with zero3_init_flag false, or weights that are not quantised and no device_map.",
        related=related(found.fact.place, "stated here"),
    )


def _quantized(plan: TrainingPlan, job: Job) -> Quantized | None:
    mapped = plan.option("model.device_map")
    for name, bits in BITS.items():
        fact = argument(job, name)
        if fact.value is True:
            placed = " and a device_map" if mapped.value not in (None, False) else ""
            what = f"a model quantised to {bits}{placed}"
            return Quantized(what, "every rank loads the whole model before it is sharded", fact)
    if mapped.value not in (None, False):
        return Quantized("a device_map", "transformers refuses the two together", mapped)
    return _stored(plan, job)


def _stored(plan: TrainingPlan, job: Job) -> Quantized | None:
    """Weights quantised on disk: by the name a file gives the model, else by the setting."""
    named, stated = _named(job), plan.option("model.quantized")
    why = "packed weights cannot be sharded or gathered"
    if named is not None and isinstance(named.value, str):
        mark = IN_NAME.search(named.value)
        return Quantized(f"{mark.group()} weights stored quantised", why, named) if mark else None
    if isinstance(stated.value, str) and stated.value.lower().startswith(STORED):
        return Quantized(f"weights stored quantised as {stated.value}", why, stated)
    return None


def _named(job: Job) -> Fact[object] | None:
    return next((r.terms["model.name"] for r in job.readings if "model.name" in r.terms), None)


def _place(plan: TrainingPlan, job: Job, found: Quantized) -> Place | None:
    """The name of a model stored quantised, else the sharded loading unless switched off, else the stage."""
    named = _named(job)
    if named is not None and named is found.fact:
        return named.place
    reading = job.reading("accelerate")
    flag = reading.view.get("deepspeed_config", "zero3_init_flag") if reading is not None else None
    if reading is not None and flag is not None and not is_off(flag):
        return at_value(reading, flag)
    return plan.stage.place
