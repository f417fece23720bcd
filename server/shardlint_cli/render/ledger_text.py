"""A ledger for people: what each rank holds, by term, with formulas, and what is not in the figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardlint.ledger.entry import BOUNDARY, HOST, NVME, Entry, Ledger
from shardlint.ledger.terms import GRADIENTS, LOCAL_GRADIENTS
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
    parameters,
    ranks,
    two,
)
from shardlint.plan import TrainingPlan
from shardlint.report import gib, listing
from shardlint_cli.render.table import GAP, table, two_lines
from shardlint_cli.terminal import NARROWEST, Screen, columns, wrap

COLUMNS = {LOCAL_GRADIENTS: GRADIENTS}
"""Terms that share a column where ways of sharding are compared."""


def compared(accounts: Sequence[Account], screen: Screen) -> Iterator[str]:
    """Ways of sharding one model, a row each."""
    plan = accounts[0].plan
    accountings = dict.fromkeys(account.ledger.assumption for account in accounts)
    one = f"; {accounts[0].ledger.assumption}" if len(accountings) == 1 else ""
    yield from _prose(f"{parameters(plan)}, {ranks('N', plan.world)}{one}", screen)
    yield ""
    if all(account.ledger.known for account in accounts):
        yield from _by_term(accounts, screen)
    else:
        yield from _by_degree(accounts, screen)
    yield ""
    for accounting in accountings if not one else ():
        names = (account.name for account in accounts if account.ledger.assumption == accounting)
        yield from _prose(f"{listing(names, 'and')}: {accounting}.", screen)
    yield from _footnotes(accounts, screen)


def detailed(account: Account, screen: Screen) -> Iterator[str]:
    """One plan: the headline, every term with its moment, and where each input comes from."""
    found = account.ledger
    yield from _headline(account, screen)
    yield from _prose(given(account), screen)
    yield ""
    if found.entries:
        yield from _terms(found.entries, screen)
        yield from _prose(fullest(found), screen)
        yield from _prose(elsewhere(found), screen) if elsewhere(found) else ()
        yield ""
    if found.figures:
        yield from _by_degree([account], screen)
        yield ""
    yield from _origins(account.plan, screen)
    yield ""
    yield from _footnotes([account], screen)


def _headline(account: Account, screen: Screen) -> Iterator[str]:
    title = f"{screen.safe(account.title)}: " if account.title else ""
    states = account.ledger.states
    if states is None:
        yield from _prose(title + headline(account), screen)
        return
    line, figure = headline(account), f"{gib(states)}/rank"
    if screen.width is not None and columns(title + line) > screen.width:
        yield title.rstrip()
        title = ""
    yield title + line.replace(figure, screen.paint(figure, "bold"))


def _by_term(accounts: Sequence[Account], screen: Screen) -> Iterator[str]:
    held = [_headline_terms(account.ledger) for account in accounts]
    terms = list(dict.fromkeys(term for row in held for term in row))
    places = [place for place in (HOST, NVME) if any(a.ledger.total(BOUNDARY, place) for a in accounts)]
    heads = ["GiB/rank", *terms, "model states", *(f"on the {place}" for place in places)]
    rows = [*two_lines(heads)]
    for account, sizes in zip(accounts, held, strict=True):
        figures = [two(sizes.get(term, 0)) for term in terms]
        off = [two(account.ledger.total(BOUNDARY, place)) for place in places]
        rows.append([account.name, *figures, gib(account.ledger.states or 0), *off])
    right = [False, *(True for _ in rows[0][1:])]
    formulas = ["", "formula", *(account.ledger.formula for account in accounts)]
    whole = [[*row, formula] for row, formula in zip(rows, formulas, strict=True)]
    lines = [*table(whole, [*right, False])]
    if screen.width is None or max(map(columns, lines)) <= screen.width:
        yield from _headed(iter(lines), 2, screen)
        return
    yield from _headed(table(rows, right), 2, screen)
    spelt = [f"{account.name} = {account.ledger.formula}" for account in accounts if account.ledger.formula]
    yield from _prose(f"{', '.join(spelt)}.", screen)


def _headline_terms(found: Ledger) -> dict[str, int]:
    """Bytes of the terms the headline adds up, by column."""
    sizes: dict[str, int] = {}
    for entry in found.entries:
        if entry.states:
            column = COLUMNS.get(entry.term, entry.term)
            sizes[column] = sizes.get(column, 0) + entry.on(None)
    return sizes


def _by_degree(accounts: Sequence[Account], screen: Screen) -> Iterator[str]:
    """The headline over the data-parallel degree, while no source states it."""
    degrees = sorted({row.dp for account in accounts for row in account.ledger.figures})
    rows = [["DP", *(account.name for account in accounts)]]
    rows += [[str(degree), *(_at(account.ledger, degree) for account in accounts)] for degree in degrees]
    yield from _headed(table(rows, [True] * len(rows[0])), 1, screen)


def _at(found: Ledger, degree: int) -> str:
    if found.states is not None:
        return gib(found.states)
    states = next((row.states for row in found.figures if row.dp == degree), None)
    return "unknown" if states is None else gib(states)


def _terms(entries: Sequence[Entry], screen: Screen) -> Iterator[str]:
    """The entries below the moments at which they are held."""
    groups = by_moment(entries)
    rows = [("GiB/rank", "term", "formula"), *(cells(entry) for held in groups.values() for entry in held)]
    head, *lines = table(rows, [True, False, False])
    yield screen.paint(head, "bold")
    left = iter(lines)
    for moment, held in groups.items():
        yield from (screen.paint(said, "dim") for said in wrap(moment, screen.width))
        yield from (next(left) for _ in held)


def _origins(plan: TrainingPlan, screen: Screen) -> Iterator[str]:
    rows = [[found.name, screen.safe(found.value), screen.safe(found.origin)] for found in inputs(plan)]
    rows = [line for row in [["input", "value", "from"], *rows] for line in _fitted(row, rows, screen)]
    yield from _headed(table(rows, [False] * 3), 1, screen)


def _fitted(row: list[str], rows: Sequence[list[str]], screen: Screen) -> list[list[str]]:
    """The row, its last cell over as many lines as the screen asks for."""
    if screen.width is None:
        return [row]
    taken = sum(max(columns(other[at]) for other in [*rows, ["input", "value"]]) + len(GAP) for at in (0, 1))
    first, *rest = wrap(row[2], max(screen.width - taken, NARROWEST // 2))
    return [[*row[:2], first], *(["", "", line] for line in rest)]


def _footnotes(accounts: Sequence[Account], screen: Screen) -> Iterator[str]:
    for sentence in footnotes(accounts):
        yield from _prose(sentence, screen)


def _prose(text: str, screen: Screen) -> list[str]:
    return wrap(screen.safe(text), screen.width)


def _headed(lines: Iterator[str], heads: int, screen: Screen) -> Iterator[str]:
    for at, line in enumerate(lines):
        yield screen.paint(line, "bold") if at < heads else line
