"""Code lens: the headline of the ledger above the stage or strategy; off unless it is switched on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol import types

from shardlint.ledger.unlocking import unlocking
from shardlint.ledger.wording import Account, headline
from shardlint.report import listing
from shardlint_lsp.hints.states import stands
from shardlint_lsp.ledgers.accounts import account_of
from shardlint_lsp.look import Look
from shardlint_lsp.server import ShardlintServer

SHOW_LEDGER = "shardlint.showLedger"


class Lens(NamedTuple):
    """A title above the line of an offset in code points."""

    at: int
    title: str


def lenses(look: Look) -> list[Lens]:
    """One a place and ledger; at the first line where the way of sharding is written nowhere."""
    if not look.preferences.code_lens:
        return []
    return list(dict.fromkeys(_found(look)))


def _found(look: Look) -> Iterator[Lens]:
    shown = list(stands(look))
    several = len({stand.account.title for stand in shown}) > 1
    for stand in shown:
        yield Lens(stand.at, f"{stand.account.title}: " * several + _title(stand.account))
    for job in () if shown else look.jobs:
        for plan in job.plans:
            yield Lens(0, _title(account_of(look, job, plan)))


def _title(account: Account) -> str:
    """The headline, or the settings that would make it known."""
    wanted = unlocking(account.plan) if account.ledger.states is None else []
    if not wanted:
        return headline(account)
    return f"{account.name}, model states unknown: set {listing(wanted, 'and')}"


def register(server: ShardlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions())
    async def code_lens(  # pyright: ignore[reportUnusedFunction]
        params: types.CodeLensParams,
    ) -> list[types.CodeLens] | None:
        uri = params.text_document.uri
        return await server.ask(uri, lambda look: [shown(look, lens, uri) for lens in lenses(look)])


def shown(look: Look, lens: Lens, uri: str) -> types.CodeLens:
    position = look.positions.position(lens.at)
    command = types.Command(title=lens.title, command=SHOW_LEDGER, arguments=[uri, {"show": True}])
    return types.CodeLens(range=types.Range(position, position), command=command)
