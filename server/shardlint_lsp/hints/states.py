"""Model states a rank, where the stage or strategy is written: `13.04 GiB/rank`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shardlint.ledger import Ledger
from shardlint.ledger.entry import NVME
from shardlint.ledger.wording import Account, two
from shardlint.report import gib, value_place
from shardlint_lsp.hints.hint import Hint, behind, fitting
from shardlint_lsp.hints.sharing import Part, parts, world_is_required
from shardlint_lsp.ledgers.accounts import account_of
from shardlint_lsp.ledgers.table import ledger_table
from shardlint_lsp.look import Look


class Stand(NamedTuple):
    """An account and where it is shown. `elsewhere`: the way of sharding is written in another file."""

    at: int
    account: Account
    elsewhere: bool = False


def state_hints(look: Look) -> Iterator[Hint]:
    """The headline of each ledger that is known."""
    found: dict[int, list[Stand]] = {}
    for stand in stands(look):
        if stand.account.ledger.states is not None:
            found.setdefault(stand.at, []).append(stand)
    for at, here in found.items():
        texts = {_text(stand) for stand in here}
        text = texts.pop() if len(texts) == 1 else _of_several([stand.account for stand in here])
        yield Hint(at, text, "\n\n".join(dict.fromkeys(ledger_table(stand.account) for stand in here)))


def stands(look: Look) -> Iterator[Stand]:
    """Where the ledgers of the open text's plans are shown, known or not."""
    for part in parts(look):
        at, elsewhere = _anchor(look, part)
        if at is not None:
            yield Stand(at, account_of(look, part.job, part.plan), elsewhere)


def _anchor(look: Look, part: Part) -> tuple[int | None, bool]:
    """What decides how states are sharded, else the name of the file that does."""
    plan, place = part.plan, part.plan.strategy_place
    for fact in (plan.stage, plan.strategy, plan.reshard, plan.framework):
        at = behind(look, fact.place)
        if at is not None:
            return at, False
    for link in part.job.links:
        leads_there = place is not None and link.target is not None and link.target.name == place.path
        if link.source is part.reading and leads_there:
            return behind(look, value_place(part.reading.document, link.reference.entry)), True
    return None, False


def _text(stand: Stand) -> str:
    account = stand.account
    label = f"{account.name}, " if stand.elsewhere else ""
    ranks = f" at DP {account.plan.batch_dp.value}" if world_is_required(account.plan) else ""
    figure, off = f"{gib(account.ledger.states or 0)}/rank", _off(account.ledger)
    return fitting(f"{label}{figure}{off}{ranks}", f"{figure}{off}{ranks}", f"{figure}{ranks}", figure)


def _off(found: Ledger) -> str:
    """What a rank holds in memory that is not the GPU's."""
    sizes = found.elsewhere()
    if not sizes:
        return ""
    place = "off GPU" if len(sizes) > 1 else "NVMe" if NVME in sizes else "host"
    return f" + {gib(sum(sizes.values()))} {place}"


def _of_several(accounts: list[Account]) -> str:
    """By role, where that tells them apart and fits; else from the least to the most."""
    sizes = sorted(account.ledger.states or 0 for account in accounts)
    low, high = two(sizes[0]), two(sizes[-1])
    span = f"{high} GiB/rank" if low == high else f"{low} to {high} GiB/rank"
    roles = {account.plan.role: two(account.ledger.states or 0) for account in accounts}
    if len(roles) < len(accounts):
        return span
    return fitting(f"{', '.join(f'{role} {size}' for role, size in roles.items())} GiB/rank", span)
