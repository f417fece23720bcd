"""The plans that the open text has a part in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shardlint.checks.files import deepspeed_file
from shardlint.compose.job import Job
from shardlint.formats.reading import Reading
from shardlint.plan import TrainingPlan
from shardlint_lsp.look import Look


class Part(NamedTuple):
    """A plan, its job, and the open text as that job reads it."""

    plan: TrainingPlan
    job: Job
    reading: Reading


def parts(look: Look) -> Iterator[Part]:
    """Every plan of the open text's jobs, but those of other engines of the same job."""
    for job in look.jobs:
        reading = next(reading for reading in job.readings if reading.name == look.name)
        for plan in job.plans:
            engine = deepspeed_file(plan, job)
            if reading.format.name != "deepspeed" or engine is None or engine is reading:
                yield Part(plan, job, reading)


def world_is_required(plan: TrainingPlan) -> bool:
    """Whether nothing states the number of ranks, so that it is the one the batch keys need."""
    return (
        plan.required_dp.known
        and plan.world.place is not None
        and (plan.world.place == plan.train_batch.place)
    )
