"""The figures and the disagreements as text."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.differential.compare import (
    AGREE,
    BROKEN,
    ELSEWHERE,
    FALSE_ALARM,
    MISS,
    Tally,
    Verdict,
    by_kind,
    groups,
    tally,
)

COLUMNS = (MISS, FALSE_ALARM, ELSEWHERE, BROKEN)


def table(verdicts: list[Verdict]) -> Iterator[str]:
    yield (
        f"{'kind':<12}{'count':>7}{'refused':>9}"
        + "".join(f"{name:>13}" for name in COLUMNS)
        + f"{'agree':>9}"
    )
    for row in (*by_kind(verdicts), tally("all", verdicts)):
        yield _row(row)


def _row(row: Tally) -> str:
    refused = f"{row.refused / max(row.count, 1):.0%}"
    cells = "".join(f"{row.outcomes[name]:>13}" for name in COLUMNS)
    return f"{row.name:<12}{row.count:>7}{refused:>9}{cells}{row.agreement:>9.2%}"


def listing(verdicts: list[Verdict], most: int) -> Iterator[str]:
    found = groups(verdicts)
    for name, alike in found[:most]:
        first = alike[0]
        yield f"{len(alike):>4} x {name}"
        yield f"         {first.mutant.seed.name}: {first.mutant.note}"
        if first.outcome != MISS:
            for one in first.ours[:2]:
                yield f"         ours: {one.code} at {one.place.key!r} ({one.fails_at}): {one.message}"
        if first.outcome != FALSE_ALARM:
            answer = first.answer
            yield f"         theirs: {answer.refused} {answer.error}: {answer.message}{answer.broken}"
    if len(found) > most:
        rest = sum(len(alike) for _, alike in found[most:])
        yield f"     and {rest} more in {len(found) - most} groups; --groups 0 shows all"


__all__ = ["AGREE", "listing", "table"]
