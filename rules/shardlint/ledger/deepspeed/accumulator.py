"""Stage 1, bf16 weights, fp32 accumulation, no offload: BF16_Optimizer.

Every rank keeps an fp32 gradient of the whole model, never freed, beside the 16-bit gradients of the last
backward pass. Source: DeepSpeed 0.19.8 `runtime/bf16_optimizer.py`; measured on 2 and 4 ranks.
"""

from __future__ import annotations

from shardlint.ledger.deepspeed.common import add_reduction, add_states, add_step_tensors, add_weights
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.slices import slices_of
from shardlint.ledger.entry import ACCUMULATE, BACKWARD, BOUNDARY, FORWARD, STEP, UPDATE
from shardlint.ledger.knobs import switched
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import ACCUMULATOR, GRADIENTS, MASTER


def write(sheet: Sheet, setup: Setup) -> None:
    slices = slices_of(setup)
    add_weights(sheet, setup, slices.whole)
    if not switched(setup.plan, "immediate_grad_update"):
        held = (BACKWARD, BOUNDARY, STEP, UPDATE)
        if setup.accumulates:
            held = (*held, ACCUMULATE, FORWARD)
        sheet.add(GRADIENTS, setup.weight, slices.plain, held, states=True)
    sheet.add(ACCUMULATOR, setup.accum, slices.whole, states=True)
    sheet.add(MASTER, 4, slices.own, states=True)
    add_states(sheet, setup, slices.own, from_load=False)
    add_step_tensors(sheet, setup, len(slices.groups), from_load=False)
    add_reduction(sheet, setup)
