"""The files a plan rests on, and the TrainingArguments they are joined with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import TRAINERS

if TYPE_CHECKING:
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.plan import Fact, TrainingPlan


def deepspeed_file(plan: TrainingPlan, job: Job) -> Reading | None:
    """The DeepSpeed file of a plan; a job with several engines has one a plan, and the plan names it."""
    files = [reading for reading in job.readings if reading.format.name == "deepspeed"]
    if plan.framework.value != "deepspeed" or len(files) < 2:
        return files[0] if files and plan.framework.value == "deepspeed" else None
    return next((reading for reading in files if reading.name == plan.framework.origin), None)


def argument(job: Job, name: str) -> Fact[object]:
    """A TrainingArguments value, unknown where no file and no setting states it."""
    term = f"training_args.{name}"
    for reading in job.readings:
        fact = reading.terms.get(term)
        if fact is not None and fact.known and fact.standing == "given":
            return fact
    return job.settings.fact(term)


def filled_by_trainer(job: Job) -> bool:
    """Whether the Trainer of transformers joins the job's DeepSpeed file with its arguments."""
    return job.consumer.value in TRAINERS


def open_names(job: Job) -> set[str]:
    """The names of the keys of the job's files whose value some other program fills in."""
    return {entry.name for reading in job.readings for entry in reading.auto.values()}


def from_settings(job: Job, fact: Fact[object] | Fact[int]) -> bool:
    """Whether a fact comes from the settings (a pragma in a file of the job included), not from a file."""
    return any(job.settings.fact(name).origin == fact.origin for name in job.settings.names())
