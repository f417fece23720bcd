"""A Ledger as JSON-ready data."""

from __future__ import annotations

from shardlint.ledger.entry import Entry, Ledger


def ledger_to_data(found: Ledger) -> dict[str, object]:
    """Stable keys; sizes in bytes, null where unknown."""
    return {
        "label": found.label,
        "state_bytes_per_rank": found.states,
        "formula": found.formula,
        "assumption": found.assumption,
        "assumes": list(found.assumes),
        "entries": [entry_to_data(entry) for entry in found.entries],
        "missing": list(found.missing),
        "unknown": found.why or None,
        "figures": [{"dp": row.dp, "state_bytes_per_rank": row.states} for row in found.figures],
    }


def entry_to_data(entry: Entry) -> dict[str, object]:
    data: dict[str, object] = {
        "term": entry.term,
        "place": entry.place,
        "per": entry.per,
        "phase": entry.phase,
        "phases": list(entry.phases),
        "low": entry.low,
        "high": entry.high,
        "certainty": entry.certainty,
        "formula": entry.formula,
        "states": entry.states,
    }
    if entry.by_rank:
        data["by_rank"] = list(entry.by_rank)
    if entry.assumes:
        data["assumes"] = entry.assumes
    return data
