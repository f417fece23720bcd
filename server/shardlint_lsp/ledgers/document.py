"""The ledgers of a file as a Markdown document."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.ledger.unlocking import unlocking
from shardlint.ledger.wording import (
    Account,
    by_moment,
    cells,
    elsewhere,
    footnotes,
    fullest,
    given,
    headline,
    inputs,
    two,
)
from shardlint.report import listing
from shardlint_lsp.ledgers.accounts import account_of
from shardlint_lsp.look import Look
from shardlint_lsp.markdown import literal, rows

EMPTY = "No training job to account for in this file."


def ledger_page(look: Look) -> str:
    """All that is known of what each rank holds, for every plan the file has a part in."""
    accounts = list(_accounts(look))
    parts = [part for account in accounts for part in _section(account, look.name)] or [EMPTY]
    return "\n\n".join([f"# What each rank holds: {literal(look.name)}", *parts]) + "\n"


def _accounts(look: Look) -> Iterator[Account]:
    for job in look.jobs:
        for plan in job.plans:
            yield account_of(look, job, plan)


def _section(account: Account, name: str) -> Iterator[str]:
    """A job that is called as the file of the page needs no heading of its own."""
    found = account.ledger
    if account.title != name:
        yield f"## {literal(account.title)}"
    yield f"**{literal(headline(account))}**"
    yield literal(given(account))
    if found.entries:
        yield _terms(account)
        yield fullest(found)
        if elsewhere(found):
            yield elsewhere(found)
    if found.figures:
        yield "\n".join(
            rows(("DP", "GiB/rank"), ((str(row.dp), two(row.states)) for row in found.figures), 2)
        )
    yield "### Where the inputs come from"
    yield "\n".join(rows(("input", "value", "from"), inputs(account.plan)))
    yield "### What else to know"
    yield "\n".join(f"- {literal(note)}" for note in (*footnotes([account]), *_unlocked(account)))


def _terms(account: Account) -> str:
    lines = (
        (*cells(entry), moment)
        for moment, held in by_moment(account.ledger.entries).items()
        for entry in held
    )
    return "\n".join(rows(("GiB/rank", "term", "formula", "held"), lines, right=1))


def _unlocked(account: Account) -> Iterator[str]:
    """The settings that would fill the gaps."""
    plan = account.plan
    wanted = unlocking(plan) if account.ledger.states is None else []
    if wanted:
        yield f"For the model states set {listing(wanted, 'and')} in shardlint.toml under [facts]."
    if not plan.activations.known:
        yield "For the activations set activations under [budget] to what you measured or promise."
    if not plan.gpu_bytes.known:
        yield "To compare with a card set gpu.name under [facts]."
