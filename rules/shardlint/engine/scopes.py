"""How often a rule runs and what it sees, decided by the types of its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shardlint.checks.registry import Rule
from shardlint.compose import Job
from shardlint.ledger import Ledger, ledger
from shardlint.plan import TrainingPlan


class Sight(NamedTuple):
    """One call of a rule: its arguments in order, the job it runs for, the file it is about."""

    arguments: tuple[object, ...]
    job: str
    path: str


class Ledgers:
    """The ledger of each plan, worked out at most once and only when a rule asks."""

    def __init__(self) -> None:
        self._known: dict[int, Ledger] = {}

    def of(self, plan: TrainingPlan) -> Ledger:
        found = self._known.get(id(plan))
        if found is None:
            found = self._known[id(plan)] = ledger(plan)
        return found


def sights(rule: Rule, jobs: Sequence[Job], ledgers: Ledgers) -> Iterator[Sight]:
    """Every call of a rule over the jobs: per plan, per file of a job, or per job."""
    needs = set(rule.needs)
    for job in jobs:
        if needs & {"TrainingPlan", "Ledger"}:
            for plan in job.plans:
                known: dict[str, object] = {"Job": job, "Settings": job.settings, "TrainingPlan": plan}
                if "Ledger" in needs:
                    known["Ledger"] = ledgers.of(plan)
                yield _sight(rule, known, job, job.entry.name)
        elif needs & {"Reading", "Document"}:
            for reading in job.readings:
                known = {
                    "Job": job,
                    "Settings": job.settings,
                    "Reading": reading,
                    "Document": reading.document,
                }
                yield _sight(rule, known, job, reading.name)
        else:
            yield _sight(rule, {"Job": job, "Settings": job.settings}, job, job.entry.name)


def _sight(rule: Rule, known: dict[str, object], job: Job, path: str) -> Sight:
    return Sight(tuple(known[need] for need in rule.needs), job.id, path)
