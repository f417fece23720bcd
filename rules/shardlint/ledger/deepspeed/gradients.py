"""Gradients of stages 1 and 2: local ones until they are reduced, then whole parameters or a compact slice.

With fp32 accumulation on 16-bit weights the reduced gradients are one compact fp32 slice; otherwise every
parameter that touches the slice is kept whole, in the dtype of the weights (`copy_grads_in_partition`).
Source: DeepSpeed 0.19.8 `runtime/zero/stage_1_and_2.py`; measured on 2 and 4 ranks.
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.slices import Slices
from shardlint.ledger.entry import ACCUMULATE, BACKWARD, BOUND, BOUNDARY, DEVICE, EXACT, FORWARD, STEP, UPDATE
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import ACCUMULATED, GRADIENTS, LOCAL_GRADIENTS

COPIED = "each is copied to the host as soon as it is reduced"
STRADDLING = "a parameter that straddles a cut is held whole by both neighbours"


def is_compact(setup: Setup) -> bool:
    return setup.half and setup.accum == 4


def add_gradients(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    if setup.stage == 1:
        _add_local(sheet, setup, slices)
    if is_compact(setup):
        _add_compact(sheet, setup, slices)
    elif not setup.offload:
        _add_whole(sheet, setup, slices)
    elif setup.stage == 2:
        sheet.add(GRADIENTS, setup.weight, slices.held, (BACKWARD,), certainty=BOUND, assumes=COPIED)


def _add_local(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    """Stage 1 reduces at the end of the last backward pass: until then every rank holds all gradients."""
    phases = (BACKWARD, ACCUMULATE, FORWARD) if setup.accumulates else (BACKWARD,)
    unit = setup.accum if is_compact(setup) else setup.weight
    sheet.add(LOCAL_GRADIENTS, unit, slices.plain, phases, states=True)


def _add_compact(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    """In `step()` the slice of a group becomes the gradient of its master; offload copies it instead."""
    held = [BACKWARD, BOUNDARY, STEP]
    if setup.stage == 2 and setup.accumulates:
        held += [ACCUMULATE, FORWARD]
    if setup.offload:
        held.append(UPDATE)
    sheet.add(GRADIENTS, 4, slices.own, tuple(held), states=setup.stage == 2)
    if len(slices.groups) > 1 and not setup.offload:
        later = sum(flat.own for flat in slices.groups[1:])
        sheet.add(GRADIENTS, 4, Amount(" of later groups", later, 1, (later,)), (UPDATE,))


def _add_whole(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    held = (BACKWARD, BOUNDARY, STEP)
    certainty = EXACT if slices.groups else BOUND
    in_states = setup.stage == 2
    sheet.add(GRADIENTS, setup.weight, slices.held, held, DEVICE, in_states, certainty, STRADDLING)
    if setup.stage == 2 and setup.accumulates:
        earlier = (BACKWARD, ACCUMULATE, FORWARD)
        sheet.add(ACCUMULATED, setup.weight, slices.touching, earlier, certainty=certainty)
    if len(slices.groups) > 1:
        ranks = tuple(_after_first_group(setup, slices, rank) for rank in range(setup.ranks))
        sheet.add(GRADIENTS, setup.weight, Amount(" of later groups", max(ranks), 1, ranks), (UPDATE,))


def _after_first_group(setup: Setup, slices: Slices, rank: int) -> int:
    """Elements left when the first group is being updated. With contiguous gradients one buffer holds those
    of all groups, and lives as long as any of them; padding is freed group by group."""
    first, *later = slices.groups
    touching = sum(flat.touching[rank] for flat in later)
    if touching and setup.contiguous:
        touching += first.touching[rank]
    return touching + sum(flat.padding[rank] for flat in later)
