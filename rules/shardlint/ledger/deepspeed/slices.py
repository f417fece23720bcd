"""Slices: the amounts stages 1 and 2 are written in, from counts alone or from shapes."""

from __future__ import annotations

from typing import NamedTuple

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.flat import Flat, flatten, start_alignment
from shardlint.ledger.deepspeed.groups import by_muon, parameter_groups
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.knobs import number, switched


class Slices(NamedTuple):
    """`whole`: the flat vector every rank holds. `own`: a rank's slice. `held`: whole parameters touching
    the slice plus its padding, `touching`: without the padding. Without shapes both are the slice itself.
    `groups` is empty without shapes; `muon` says for each of them whether Muon updates it."""

    whole: Amount
    plain: Amount
    own: Amount
    held: Amount
    touching: Amount
    groups: tuple[Flat, ...] = ()
    muon: tuple[bool, ...] = ()
    largest: int | None = None


def slices_of(setup: Setup) -> Slices:
    count, ranks = setup.elements.trainable, setup.ranks
    if not setup.elements.tensors:
        slice_ = Amount("P/N", count, ranks)
        everything = Amount("P", count)
        largest = number(setup.plan, "model.largest_param", 0) or None
        return Slices(everything, everything, slice_, slice_, slice_, largest=largest)
    alignment = start_alignment(setup.weight, switched(setup.plan, "parameter_alignment"))
    round_robin = switched(setup.plan, "round_robin_gradients")
    groups = parameter_groups(setup)
    flats = tuple(flatten(group, ranks, alignment, round_robin) for group in groups)
    return Slices(
        whole=Amount("P", count, 1, (sum(f.total for f in flats),)),
        plain=Amount("P", count, 1, (count,)),
        own=Amount("P/N", count, ranks, (sum(f.own for f in flats),)),
        held=Amount("P/N", count, ranks, _per_rank(flats, ranks, padded=True)),
        touching=Amount("P/N", count, ranks, _per_rank(flats, ranks, padded=False)),
        groups=flats,
        muon=tuple(setup.muon and by_muon(group[0]) for group in groups),
        largest=max((t.numel for t in setup.elements.moving), default=0),
    )


def _per_rank(flats: tuple[Flat, ...], ranks: int, padded: bool) -> tuple[int, ...]:
    sums = [0] * ranks
    for flat in flats:
        for rank in range(ranks):
            sums[rank] += flat.touching[rank] + (flat.padding[rank] if padded else 0)
    return tuple(sums)
