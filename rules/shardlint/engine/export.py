"""Jobs as the machine-readable report shows them."""

from __future__ import annotations

from collections.abc import Callable

from shardlint.compose import Job
from shardlint.ledger import Ledger, ledger_to_data
from shardlint.plan import Fact, TrainingPlan
from shardlint.plan_json import fact_to_data, plan_to_data


def job_data(job: Job, ledger_of: Callable[[TrainingPlan], Ledger]) -> dict[str, object]:
    """A job with its plans and their ledgers, JSON-ready."""
    consumer: Fact[object] = Fact(job.consumer.value, job.consumer.origin, job.consumer.standing)
    return {
        "id": job.id,
        "files": list(job.files),
        "consumer": fact_to_data(consumer),
        "plans": [{**plan_to_data(plan), "ledger": ledger_to_data(ledger_of(plan))} for plan in job.plans],
    }
