"""Stage 3: weights, gradients, masters and states are all cut; a bucket and small parameters are not.

The gradient partition and the reduce bucket are made when the engine is built and never freed.
Source: DeepSpeed 0.19.8 `runtime/zero/stage3.py`; measured on 2 and 4 ranks.
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed import muon
from shardlint.ledger.deepspeed.common import add_stale_sums, add_states, add_step_tensors
from shardlint.ledger.deepspeed.gathering import add_gathered, add_persistent, add_secondary
from shardlint.ledger.deepspeed.parts import Parts, part, parts_of
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.share import optimizer_places
from shardlint.ledger.entry import DEVICE, HOST, STEP, UPDATE
from shardlint.ledger.knobs import number
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import (
    BUCKET,
    FLAT_GRADIENTS,
    FP32_GRADIENTS,
    FROZEN,
    GRADIENTS,
    MASTER,
    WEIGHTS,
)


def write(sheet: Sheet, setup: Setup) -> None:
    parts = parts_of(setup)
    _add_weights(sheet, setup, parts)
    sheet.add(GRADIENTS, setup.accum, parts.own, place=HOST if setup.offload else DEVICE, states=True)
    for place, own in optimizer_places(setup, parts):
        sheet.add(MASTER, setup.master, own, place=place, states=True)
        if not (setup.muon and setup.elements.tensors):
            add_states(sheet, setup, own, from_load=False, place=place)
        if setup.offload:
            sheet.add(FP32_GRADIENTS, setup.master, own, place=place)
    if setup.muon and setup.elements.tensors:
        muon.add_tensor_states(sheet, setup, lambda tensor: part(tensor, setup.ranks), from_load=False)
    add_step_tensors(sheet, setup, len(parts.sub_groups), from_load=False)
    add_stale_sums(sheet, setup)
    _add_bucket(sheet, setup)
    add_persistent(sheet, setup, parts)
    add_secondary(sheet, setup)
    add_gathered(sheet, setup, parts)
    if not setup.offload:
        _add_step_copies(sheet, setup, parts)


def _add_weights(sheet: Sheet, setup: Setup, parts: Parts) -> None:
    place = setup.offload_param or DEVICE
    sheet.add(WEIGHTS, setup.weight, parts.own, place=place, states=True)
    if parts.frozen.ranks:
        sheet.add(FROZEN, setup.weight, parts.frozen, place=place, states=True)
        return
    for frozen in setup.elements.frozen:
        size = frozen.size or setup.weight
        sheet.add(FROZEN, size, Amount("F/N", frozen.elements, setup.ranks), place=place, states=True)


def _add_bucket(sheet: Sheet, setup: Setup) -> None:
    if setup.contiguous:
        amount = Amount(f" x {setup.bucket:,} elements", setup.bucket, 1, (setup.bucket,))
        sheet.add(BUCKET, sum(setup.comm), amount)


def _add_step_copies(sheet: Sheet, setup: Setup, parts: Parts) -> None:
    """One sub-group at a time: its gradients flattened, then cast to the master dtype, both alive."""
    limit = number(setup.plan, "sub_group_size", 1_000_000_000)
    cast = setup.master if setup.master != setup.accum else 0
    if parts.sub_groups:
        largest, first = max(parts.sub_groups), parts.sub_groups[0]
        working = Amount(" of the largest sub-group", largest, 1, (largest,))
        updated = Amount(" of the first sub-group", first, 1, (first,))
    else:
        count = setup.elements.trainable
        whole = -(-count // setup.ranks) <= limit
        working = Amount("P/N", count, setup.ranks) if whole else Amount(" of a sub-group", limit)
        updated = working
    sheet.add(FLAT_GRADIENTS, setup.accum, working, (STEP,))
    sheet.add(FP32_GRADIENTS, cast, working, (STEP,))
    sheet.add(FP32_GRADIENTS, setup.master, updated, (UPDATE,))
