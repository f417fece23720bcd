"""Muon at stages 1 and 2: whole matrices, not slices, and the momentum twice.

Matrices that touch a slice have a momentum in the dtype of their gradients, staged in a second buffer of the
same size so that a skipped step leaves it untouched; the rest of the parameters have fp32 Adam moments.
Source: DeepSpeed 0.19.8 `runtime/zero/stage_1_and_2.py:_muon_momentum_buffer`, `_muon_staging_momentum`;
measured at stage 2.
"""

from __future__ import annotations

from collections.abc import Callable

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.groups import by_muon
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.slices import Slices
from shardlint.ledger.entry import ALWAYS, BOUND, BOUNDARY, ESTIMATE, RUNNING, STEP
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import MUON_UPDATES, STAGED_MOMENTUM, STATES
from shardlint.plan import Tensor

ADAM, MOMENTUM = 8, 4


def add_states(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    if not slices.groups:
        note = "all parameters are matrices updated by Muon"
        sheet.add(STATES, setup.weight, slices.own, RUNNING, states=True, certainty=ESTIMATE, assumes=note)
        sheet.add(STAGED_MOMENTUM, setup.weight, slices.own, RUNNING, certainty=ESTIMATE, assumes=note)
        return
    ranks = range(setup.ranks)
    touching = tuple(
        sum(flat.touching[rank] for flat, muon in zip(slices.groups, slices.muon, strict=True) if muon)
        for rank in ranks
    )
    matrices = Amount(" of whole matrices", max(touching), 1, touching)
    sheet.add(STATES, setup.weight, matrices, RUNNING, states=True)
    sheet.add(STAGED_MOMENTUM, setup.weight, matrices, RUNNING)
    sheet.add(MUON_UPDATES, setup.weight, matrices, (BOUNDARY, STEP), certainty=BOUND)
    others = sum(flat.own for flat, muon in zip(slices.groups, slices.muon, strict=True) if not muon)
    sheet.add(STATES, ADAM, Amount(" of the other slices", others, 1, (others,)), RUNNING, states=True)


def add_tensor_states(sheet: Sheet, setup: Setup, own: Callable[[Tensor], int], from_load: bool) -> None:
    """Stages 0 and 3: fp32 momentum of the matrices, Adam moments of the rest; read, not measured.

    `own` is how many elements of a tensor a rank has."""
    moving = setup.elements.moving
    phases = ALWAYS if from_load else RUNNING
    for unit, count in (
        (MOMENTUM, sum(own(t) for t in moving if by_muon(t))),
        (ADAM, sum(own(t) for t in moving if not by_muon(t))),
    ):
        amount = Amount(" of its parameters", count, 1, (count,))
        sheet.add(STATES, unit, amount, phases, states=True, certainty=ESTIMATE)
