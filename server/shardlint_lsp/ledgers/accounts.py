"""The plans of an open text with their ledgers, under the names editors show."""

from __future__ import annotations

from shardlint.compose.job import Job
from shardlint.ledger.wording import Account
from shardlint.plan import TrainingPlan
from shardlint_lsp.look import Look


def account_of(look: Look, job: Job, plan: TrainingPlan) -> Account:
    """A plan of one of the jobs, called as the job is, with its role where the job has several plans."""
    title = f"{job.id} {plan.role}" if len(job.plans) > 1 else job.id
    return Account(plan, look.analysis.ledgers.of(plan), title)
