"""Stages 1 and 2: every rank holds the weights, and a slice of masters, states and reduced gradients.

Source: DeepSpeed 0.19.8 `runtime/zero/stage_1_and_2.py`; measured on 2 and 4 ranks.
"""

from __future__ import annotations

from shardlint.ledger.deepspeed import muon, offloaded
from shardlint.ledger.deepspeed.buckets import add_buckets
from shardlint.ledger.deepspeed.common import add_stale_sums, add_states, add_step_tensors, add_weights
from shardlint.ledger.deepspeed.gradients import add_gradients
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.slices import slices_of
from shardlint.ledger.deepspeed.stepping import add_step_copies
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import MASTER


def write(sheet: Sheet, setup: Setup) -> None:
    slices = slices_of(setup)
    add_weights(sheet, setup, slices.whole)
    add_gradients(sheet, setup, slices)
    add_buckets(sheet, setup, slices)
    place = setup.offload or "device"
    sheet.add(MASTER, setup.master, slices.own, place=place, states=True)
    if setup.muon:
        muon.add_states(sheet, setup, slices)
    else:
        add_states(sheet, setup, slices.own, from_load=False, place=place)
        add_step_tensors(sheet, setup, len(slices.groups), from_load=False)
    add_stale_sums(sheet, setup)
    if setup.offload:
        offloaded.add_buffers(sheet, setup, slices)
    else:
        add_step_copies(sheet, setup, slices)
