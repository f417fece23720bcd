"""A ledger as a small Markdown table, for a tooltip."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.ledger.unlocking import unlocking
from shardlint.ledger.wording import (
    Account,
    cells,
    elsewhere,
    footnotes,
    fullest,
    given,
    headline,
    inputs,
    moments,
    two,
)
from shardlint.report import listing
from shardlint_lsp.markdown import literal, rows

MOST_TERMS = 12
"""More rows do not fit in a tooltip; the rest is named in one line."""


def ledger_table(account: Account) -> str:
    """The headline, the terms with formulas and moments, where the figures come from, what is missing."""
    found = account.ledger
    title = f"{account.title}: " if account.title else ""
    parts = [f"**{literal(title + headline(account))}**", literal(f"{given(account)}.")]
    if found.entries:
        parts += [
            "\n".join(_terms(account)),
            literal(" ".join(filter(None, (fullest(found), elsewhere(found))))),
        ]
    elif found.figures:
        parts.append("\n".join(_figures(account)))
    origins = [f"{name} {value} ({origin})" for name, value, origin in inputs(account.plan)]
    if origins:
        parts.append(literal(f"From: {', '.join(origins)}."))
    wanted = unlocking(account.plan) if not found.known else ()
    if wanted:
        parts.append(literal(f"Set {listing(wanted, 'and')} for figures."))
    return "\n\n".join([*parts, literal(" ".join(footnotes([account])))]).strip()


def _terms(account: Account) -> Iterator[str]:
    """The terms of the headline first, the others by size."""
    entries = sorted(account.ledger.entries, key=lambda entry: (not entry.states, -(entry.high or 0)))
    held: dict[tuple[str, str, str], list[str]] = {}
    for entry in entries:
        held.setdefault(cells(entry), []).append(moments(entry))
    shown = [(*cell, ", ".join(dict.fromkeys(when))) for cell, when in held.items()]
    left = dict.fromkeys(term for _, term, _, _ in shown[MOST_TERMS:])
    more = [("", f"{len(shown) - MOST_TERMS} more: {', '.join(left)}", "", "")] if left else []
    return rows(("GiB/rank", "term", "formula", "held"), [*shown[:MOST_TERMS], *more], right=1)


def _figures(account: Account) -> Iterator[str]:
    shown = [(str(figure.dp), two(figure.states)) for figure in account.ledger.figures]
    return rows(("DP", "GiB/rank"), shown, right=2)
