"""The numbers of the batch triangle and where they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_off
from shardlint.report import Place, Related

if TYPE_CHECKING:
    from shardlint.compose import Job
    from shardlint.plan import Fact, TrainingPlan

DIVIDING = frozenset({"sequence_parallel_size", "parallelism_config_sp_size", "data_parallel_size"})
"""Keys that change the DP degree: while one of them is open, DP is not known."""

TRAIN, MICRO, STEPS = "train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"


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
