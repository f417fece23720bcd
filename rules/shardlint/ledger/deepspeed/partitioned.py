"""Stage 3: weights, gradients, masters and states are all cut; a bucket and small parameters are not.

The gradient partition and the reduce bucket are made when the engine is built and never freed.
Source: DeepSpeed 0.19.8 `runtime/zero/stage3.py`; measured on 2 and 4 ranks.
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed import muon
from shardlint.ledger.deepspeed.buckets import bucket_of
from shardlint.ledger.deepspeed.common import add_stale_sums, add_states, add_step_tensors
from shardlint.ledger.deepspeed.gathering import add_gathered, add_persistent, add_secondary
from shardlint.ledger.deepspeed.parts import Parts, part, parts_of
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.share import optimizer_places
from shardlint.ledger.deepspeed.sub_groups import add_step_copies
from shardlint.ledger.entry import DEVICE, HOST
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import BUCKET, FROZEN, GRADIENTS, MASTER, WEIGHTS


def write(sheet: Sheet, setup: Setup) -> None:
    parts = parts_of(setup)
    _add_weights(sheet, setup, parts)
    sheet.add(GRADIENTS, setup.accum, parts.own, place=HOST if setup.offload else DEVICE, states=True)
    for place, own in optimizer_places(setup, parts):
        sheet.add(MASTER, setup.master, own, place=place, states=True)
        if not (setup.muon and setup.elements.tensors):
            add_states(sheet, setup, own, from_load=False, place=place)
        if setup.offload:
            sheet.add(setup.master_gradients, setup.master, own, place=place)
    if setup.muon and setup.elements.tensors:
        muon.add_tensor_states(sheet, setup, lambda tensor: part(tensor, setup.ranks), from_load=False)
    add_step_tensors(sheet, setup, len(parts.sub_groups), from_load=False)
    add_stale_sums(sheet, setup)
    _add_bucket(sheet, setup)
    add_persistent(sheet, setup, parts)
    add_secondary(sheet, setup)
    add_gathered(sheet, setup, parts)
    if not setup.offload:
        add_step_copies(sheet, setup, parts)


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
        sheet.add(BUCKET, sum(setup.comm), bucket_of(setup))
