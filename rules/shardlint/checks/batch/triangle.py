"""The numbers of the batch triangle and where they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of
from shardlint.checks.files import deepspeed_file
from shardlint.checks.judging import is_off
from shardlint.plan import ASSUMED, Fact
from shardlint.report import Place, Related

if TYPE_CHECKING:
    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

DIVIDING = frozenset({"sequence_parallel_size", "parallelism_config_sp_size", "data_parallel_size"})
"""Keys that change the DP degree: while one of them is open, DP is not known."""

TRAIN, MICRO, STEPS = "train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"
SEQUENCE, DATA = "sequence_parallel_size", "data_parallel_size"

ALONE = "0.17.0"
"""The first release that divides the ranks by `sequence_parallel_size` where nothing else gives a DP degree.
Source: `runtime/config.py`, `DeepSpeedConfig.__init__`."""

FROM_FILES = "0.18.9"
"""A release from which on both keys are known to be read from files, not only from dicts.
Source: `__init__.py`, `initialize`: older ones look for the keys in what they are given, a path or a dict."""


def divisor(plan: TrainingPlan, job: Job) -> Fact[int]:
    """What DeepSpeed divides the batch by: the plan's DP, certain where every release that may be installed
    takes it from the sequence-parallel keys of the file."""
    reading = deepspeed_file(plan, job)
    config = config_of(reading, job) if reading else None
    if config is None or config.get(SEQUENCE) is None:
        return plan.batch_dp
    versions = job.settings.versions("deepspeed")
    if versions.all_at_least(FROM_FILES):
        return plan.batch_dp
    if versions.none_at_least(ALONE) and config.get(DATA) is None and plan.pipeline.value == 1:
        return plan.world
    return Fact(plan.batch_dp.value, plan.batch_dp.origin, ASSUMED, plan.batch_dp.place)


def refused_either_way(plan: TrainingPlan, job: Job, keys: tuple[Fact[int], ...]) -> bool:
    """Whether batch keys that do not fit the divisor are refused by every release that may be installed: the
    divisor is certain, or they do not fit all ranks either, by which the others divide. None: left out."""
    degree, ranks = divisor(plan, job), plan.world
    if degree.certain or not plan.batch_dp.certain or not ranks.value or not ranks.certain:
        return degree.certain
    batch, micro, steps = (fact.value for fact in keys)
    return falls_apart(batch, micro, steps, ranks.value)


def doubts(plan: TrainingPlan, job: Job) -> tuple[str, ...]:
    """What a divisor that is only assumed because of the releases rests on."""
    if divisor(plan, job).certain or not plan.batch_dp.certain:
        return ()
    return (f"every release divides the batch by {SEQUENCE}; set versions.deepspeed",)


def falls_apart(batch: float | None, micro: float | None, steps: float | None, groups: float) -> bool:
    """Whether DeepSpeed's own arithmetic over that many groups ends in a product that is not the batch, or in
    nothing at all. None stands for a key that is left out.

    Source: `runtime/config.py`, `_set_batch_related_parameters` and `_batch_assertion`.
    """
    if batch is None or batch <= 0 or min(micro or 1, steps or 1) <= 0:
        return False
    if micro is None:
        micro = batch // groups // (steps or 1)
    elif steps is None:
        steps = batch // micro // groups
    return batch != micro * (1 if steps is None else steps) * groups


def is_elastic(job: Job) -> bool:
    """Whether DeepSpeed's `elasticity` may work the batch out: before 0.19.8 it replaced the three keys."""
    switches = (r.view.get("elasticity", "enabled") for r in job.readings if r.format.name == "deepspeed")
    return any(entry is not None and not is_off(entry) for entry in switches)


def batch_place(plan: TrainingPlan) -> Place | None:
    """Where the train batch of a DeepSpeed plan is written."""
    return plan.train_batch.place if plan.framework.value == "deepspeed" else None


def sources(place: Place, micro: Fact[int], steps: Fact[int], dp: Fact[int]) -> tuple[Related, ...]:
    """The other numbers of the triangle that are written somewhere."""
    named = (("micro batch", micro), ("accumulation", steps), ("DP", dp))
    return tuple(
        Related(fact.place, f"{name} {fact.value} is given here")
        for name, fact in named
        if fact.place is not None and fact.place != place
    )
