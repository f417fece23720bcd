"""Bytes a rank holds: states, gathers, buffers, host memory -> Ledger."""

from shardlint.ledger.build import ledger
from shardlint.ledger.data import ledger_to_data
from shardlint.ledger.entry import Entry, Figure, Ledger

__all__ = ["Entry", "Figure", "Ledger", "ledger", "ledger_to_data"]
