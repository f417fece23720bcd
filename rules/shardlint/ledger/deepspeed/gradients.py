"""Gradients of stages 1 and 2: local ones until they are reduced, then whole parameters or a compact slice.

With fp32 accumulation on 16-bit weights the reduced gradients are one compact fp32 slice; otherwise every
parameter that touches the slice is kept whole, in the dtype of the weights (`copy_grads_in_partition`).
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.slices import Slices
from shardlint.ledger.entry import ACCUMULATE, BACKWARD, BOUND, BOUNDARY, DEVICE, EXACT, FORWARD, STEP, UPDATE
from shardlint.ledger.knobs import switched
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import ACCUMULATED, BUCKET, GRADIENTS, LOCAL_GRADIENTS

COPIED = "each is copied to the host as soon as it is reduced"
STRADDLING = "a parameter that straddles a cut is held whole by both neighbours"


def is_compact(setup: Setup) -> bool:
    return setup.half and setup.accum == 4


def add_gradients(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    compact = is_compact(setup)
    if setup.stage == 1:
        _add_local(sheet, setup, slices, compact)
    _add_buckets(sheet, setup, compact)
    if compact:
        _add_compact(sheet, setup, slices)
    elif not setup.offload:
        _add_whole(sheet, setup, slices)
    elif setup.stage == 2:
        sheet.add(GRADIENTS, setup.weight, slices.held, (BACKWARD,), certainty=BOUND, assumes=COPIED)


def _add_local(sheet: Sheet, setup: Setup, slices: Slices, compact: bool) -> None:
    """Stage 1 reduces at the end of the (last) backward pass: until then every rank holds all gradients."""
    phases = (BACKWARD, ACCUMULATE) if setup.accumulates else (BACKWARD,)
    unit = setup.accum if compact else setup.weight
    sheet.add(LOCAL_GRADIENTS, unit, slices.plain, phases, states=True)


def _add_buckets(sheet: Sheet, setup: Setup, compact: bool) -> None:
    """Made at each backward pass. Stage 1 keeps it between micro steps; its fp32 accumulators are views of
    the bucket, which therefore lives until `step()`."""
    if not setup.contiguous:
        return
    in_fp32 = compact and setup.stage == 1
    size = 4 if in_fp32 else setup.weight
    phases = [BACKWARD]
    if setup.stage == 1 and setup.accumulates:
        phases.append(ACCUMULATE)
    if in_fp32:
        phases += [BOUNDARY, STEP, *([UPDATE] if setup.offload else [])]
    buckets = len(setup.comm)
    sheet.add(BUCKET, size * buckets, _elements(setup.bucket), tuple(phases))
    if switched(setup.plan, "overlap_comm"):
        second = _elements(setup.bucket)
        sheet.add(BUCKET, size * buckets, second, (BACKWARD,), assumes="the second one of overlap_comm")


def _elements(count: int) -> Amount:
    return Amount(f" x {count:,} elements", count, 1, (count,))


def _add_compact(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    held = [BOUNDARY, STEP]
    if setup.stage == 2:
        held.append(BACKWARD)
    if setup.offload:
        held.append(UPDATE)
    if setup.stage == 2 and setup.accumulates:
        held += [ACCUMULATE, FORWARD]
    sheet.add(GRADIENTS, 4, slices.own, tuple(held), states=setup.stage == 2)
    rest = slices.groups[1:]
    if rest and not setup.offload:
        later = sum(flat.own for flat in rest)
        sheet.add(GRADIENTS, 4, Amount(" of later groups", later, 1, (later,)), (UPDATE,))


def _add_whole(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    held = (BOUNDARY, STEP, BACKWARD) if setup.stage == 2 else (BOUNDARY, STEP)
    certainty = EXACT if slices.groups else BOUND
    in_states = setup.stage == 2
    sheet.add(GRADIENTS, setup.weight, slices.held, held, DEVICE, in_states, certainty, STRADDLING)
    if setup.stage == 2 and setup.accumulates:
        sheet.add(ACCUMULATED, setup.weight, slices.touching, (ACCUMULATE, FORWARD), certainty=certainty)
    if len(slices.groups) > 1:
        sheet.add(GRADIENTS, setup.weight, _after_first_group(slices), (UPDATE,))


def _after_first_group(slices: Slices) -> Amount:
    """One buffer holds the gradients of all groups; the padding of the first group is freed with it."""
    first = slices.groups[0].padding
    ranks = tuple(held - first[rank] for rank, held in enumerate(slices.held.ranks))
    return Amount(" until the last group", max(ranks), 1, ranks)
