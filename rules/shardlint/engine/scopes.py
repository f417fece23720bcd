"""How often a rule runs and what it sees, decided by the types of its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from shardlint.checks.registry import Rule
from shardlint.compose import Job
from shardlint.formats.reading import Reading
from shardlint.ledger import Ledger, ledger
from shardlint.plan import TrainingPlan
from shardlint.settings import Settings


class Sight(NamedTuple):
    """One call of a rule: its arguments in order, the job it runs for, the file it is about.

    `repaired` is true where a text the rule looks at had to be repaired: then what is missing from it
    may only be not typed yet.
    """

    arguments: tuple[object, ...]
    job: str
    path: str
    repaired: bool


class Ledgers:
    """The ledger of each plan, worked out at most once and only when a rule asks."""

    def __init__(self) -> None:
        self._known: dict[int, Ledger] = {}

    def of(self, plan: TrainingPlan) -> Ledger:
        found = self._known.get(id(plan))
        if found is None:
            found = self._known[id(plan)] = ledger(plan)
        return found


class Scopes:
    """All that rules can look at in one lint: each plan, each file of a job, each job, and the `spoken`
    settings."""

    def __init__(self, jobs: Sequence[Job], spoken: Sequence[Settings], ledgers: Ledgers) -> None:
        self._ledgers = ledgers
        self._grounds = {
            "Settings": [
                _Ground({"Settings": one}, None, "", one.path.name if one.path else "") for one in spoken
            ],
            "TrainingPlan": [
                _ground(job, job.readings, {"TrainingPlan": plan}, plan) for job in jobs for plan in job.plans
            ],
            "Reading": [
                _ground(job, (reading,), {"Reading": reading, "Document": reading.document})
                for job in jobs
                for reading in job.readings
            ],
            "Job": [_ground(job, job.readings, {}) for job in jobs],
        }

    def sights(self, rule: Rule) -> Iterator[Sight]:
        """Every call of a rule."""
        for known, plan, job, path, repaired in self._grounds[_scope(rule.needs)]:
            if plan is not None and "Ledger" in rule.needs:
                known = {**known, "Ledger": self._ledgers.of(plan)}
            yield Sight(tuple(known[need] for need in rule.needs), job, path, repaired)


class _Ground(NamedTuple):
    """What a rule can be given, by the type it asks for; the plan whose ledger it may ask for."""

    known: dict[str, object]
    plan: TrainingPlan | None
    job: str
    path: str
    repaired: bool = False


def _ground(
    job: Job, looked_at: Sequence[Reading], own: dict[str, object], plan: TrainingPlan | None = None
) -> _Ground:
    repaired = any(reading.document.faults for reading in looked_at)
    known = {"Job": job, "Settings": job.settings, **own}
    return _Ground(known, plan, job.id, looked_at[0].name, repaired)


@cache
def _scope(needs: tuple[str, ...]) -> str:
    """Per what a rule runs, by all it sees."""
    if set(needs) == {"Settings"}:
        return "Settings"
    if {"TrainingPlan", "Ledger"} & set(needs):
        return "TrainingPlan"
    return "Reading" if {"Reading", "Document"} & set(needs) else "Job"
