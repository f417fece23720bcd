"""Entry and Ledger: what each rank holds, term by term, and when."""

from __future__ import annotations

from typing import NamedTuple

DEVICE, HOST, NVME = "device", "host", "nvme"
EXACT, BOUND, ESTIMATE, MISSING = "exact", "bound", "estimate", "missing"

STEADY = "steady"
"""Between two optimizer steps, when nothing runs."""
LOAD = "load"
"""The engine is built, no step has run."""
FORWARD = "forward"
"""At the end of the (last) forward pass."""
BACKWARD = "backward"
"""During the backward pass, at its fullest."""
ACCUMULATE = "accumulate"
"""Between two micro steps of one optimizer step."""
BOUNDARY = "boundary"
"""After the last backward pass, before `step()`: the gradients are held."""
STEP = "step"
"""Inside `step()`, at its fullest."""
UPDATE = "update"
"""Inside `step()`, when the optimizer itself runs."""

PHASES = (LOAD, STEADY, FORWARD, BACKWARD, ACCUMULATE, BOUNDARY, STEP, UPDATE)
ALWAYS = PHASES
RUNNING = tuple(phase for phase in PHASES if phase != LOAD)

NOT_IN_THE_STATES = (
    "activations",
    "gathered parameters",
    "communication buckets",
    "temporaries",
    "the CUDA context",
    "fragmentation",
)
"""What comes on top of the headline of every ledger."""


class Entry(NamedTuple):
    """One term of a ledger. Bytes: `low` and `high` are the least and the most any rank holds.

    `phases` are the moments at which it is held; `phase` is the one it is listed under. `by_rank` has one
    figure a rank of a shard group (its replicas hold the same), and is empty where all ranks hold the same.
    `certainty`: exact (given the formula and the facts), bound (between low and high), estimate, missing
    (low and high are None).
    `formula` is for people: `12P/N`. `states`: part of the 16-byte account the headline adds up.
    """

    term: str
    low: int | None
    high: int | None
    place: str = DEVICE
    phases: tuple[str, ...] = ALWAYS
    by_rank: tuple[int, ...] = ()
    certainty: str = EXACT
    formula: str = ""
    assumes: str = ""
    states: bool = False
    per: str = "rank"

    @property
    def phase(self) -> str:
        return STEADY if STEADY in self.phases else self.phases[0]

    def on(self, rank: int | None) -> int:
        """Bytes on a rank, or the most any rank holds; 0 where the term is missing."""
        if rank is not None and self.by_rank:
            return self.by_rank[rank % len(self.by_rank)]
        return self.high or 0


class Figure(NamedTuple):
    """A row of the table shown while the data-parallel degree is unknown. Bytes a rank."""

    dp: int
    states: int


class Ledger(NamedTuple):
    """What a plan holds on each rank.

    `states` is the headline: device bytes a rank of weights, gradients, master weights and optimizer
    states, unpadded (P/N), with the gradients held; None when a fact it needs is unknown, and then `why`
    says which. `formula` spells it (`4P + 12P/N`), `assumption` names the accounting (`mixed-precision
    Adam, 2 + 2 + 12 B a parameter`), `assumes` what had to be assumed. `missing` is what is not in it.
    `figures` is the headline over DP while DP is unknown.
    """

    label: str
    assumption: str
    states: int | None
    formula: str
    entries: tuple[Entry, ...] = ()
    missing: tuple[str, ...] = NOT_IN_THE_STATES
    assumes: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    why: str = ""

    @property
    def known(self) -> bool:
        return self.states is not None

    def held(self, phase: str, rank: int | None = None, place: str | None = None) -> dict[str, int]:
        """Bytes by term at a phase, on one rank or (rank None) the most any rank holds of each term."""
        found: dict[str, int] = {}
        for entry in self.entries:
            if phase in entry.phases and place in (None, entry.place):
                found[entry.term] = found.get(entry.term, 0) + entry.on(rank)
        return found

    def total(self, phase: str = STEADY, place: str = DEVICE) -> int:
        """Bytes at a phase on the rank that holds most."""
        return max(self.by_rank(phase, place))

    def by_rank(self, phase: str = STEADY, place: str = DEVICE) -> tuple[int, ...]:
        """Bytes at a phase, one figure a rank of a shard group; a single one where no term differs."""
        here = [e for e in self.entries if phase in e.phases and e.place == place]
        ranks = max((len(e.by_rank) for e in here), default=1) or 1
        return tuple(sum(e.on(rank) for e in here) for rank in range(ranks))

    def elsewhere(self) -> dict[str, int]:
        """Bytes a rank holds off its device before a step, by the places that hold any."""
        sizes = {place: self.total(BOUNDARY, place) for place in (HOST, NVME)}
        return {place: size for place, size in sizes.items() if size}

    @property
    def peak(self) -> str:
        """The phase at which the device holds most, as far as the entries go."""
        return max(PHASES, key=self.total)
