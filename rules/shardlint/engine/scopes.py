"""How often a rule runs and what it sees, decided by the types of its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def sights(rule: Rule, jobs: Sequence[Job], spoken: Sequence[Settings], ledgers: Ledgers) -> Iterator[Sight]:
    """Every call of a rule: per plan, per file of a job, per job, or per `spoken` settings of the lint."""
    needs = set(rule.needs)
    if needs == {"Settings"}:
        yield from (Sight((settings,), "", _settings_path(settings), False) for settings in spoken)
        return
    for job in jobs:
        if needs & {"TrainingPlan", "Ledger"}:
            for plan in job.plans:
                known: dict[str, object] = {"Job": job, "Settings": job.settings, "TrainingPlan": plan}
                if "Ledger" in needs:
                    known["Ledger"] = ledgers.of(plan)
                yield _sight(rule, known, job, job.readings)
        elif needs & {"Reading", "Document"}:
            for reading in job.readings:
                known = {
                    "Job": job,
                    "Settings": job.settings,
                    "Reading": reading,
                    "Document": reading.document,
                }
                yield _sight(rule, known, job, (reading,))
        else:
            yield _sight(rule, {"Job": job, "Settings": job.settings}, job, job.readings)


def _settings_path(settings: Settings) -> str:
    return settings.path.name if settings.path else ""


def _sight(rule: Rule, known: dict[str, object], job: Job, looked_at: Sequence[Reading]) -> Sight:
    repaired = any(reading.document.faults for reading in looked_at)
    return Sight(tuple(known[need] for need in rule.needs), job.id, looked_at[0].name, repaired)
