"""Stage 0: nothing is split. 16-bit weights get fp32 masters (FP16_Optimizer, FP16_UnfusedOptimizer).

Source: DeepSpeed 0.19.8 `runtime/fp16/fused_optimizer.py:step` flattens the 16-bit gradients into fp32 twice,
`unfused_optimizer.py:step` makes one fp32 copy and keeps the 16-bit gradients. Measured on 2 and 4 ranks.
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed import muon
from shardlint.ledger.deepspeed.common import (
    add_reduction,
    add_stale_sums,
    add_states,
    add_step_tensors,
    add_weights,
)
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.entry import ACCUMULATE, BACKWARD, BOUNDARY, FORWARD, STEP, UPDATE
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import FLAT_GRADIENTS, FP32_GRADIENTS, GRADIENTS, MASTER


def write(sheet: Sheet, setup: Setup) -> None:
    count = setup.elements.trainable
    whole = Amount("P", count, 1, (count,) if setup.elements.tensors else ())
    add_weights(sheet, setup, whole)
    sheet.add(GRADIENTS, setup.weight, whole, _gradients_held(setup), states=True)
    if setup.half:
        sheet.add(MASTER, 4, whole, states=True)
    if setup.muon and setup.elements.tensors:
        muon.add_tensor_states(sheet, setup, lambda tensor: tensor.numel, from_load=setup.half)
    else:
        add_states(sheet, setup, whole, from_load=setup.half)
    if setup.half:
        sheet.add(FP32_GRADIENTS, 4, whole, (STEP, UPDATE))
        if setup.fused:
            sheet.add(FLAT_GRADIENTS, 4, whole, (STEP,))
        add_stale_sums(sheet, setup)
    add_step_tensors(sheet, setup, len(setup.elements.moving), from_load=setup.half)
    add_reduction(sheet, setup)


def _gradients_held(setup: Setup) -> tuple[str, ...]:
    phases = [BOUNDARY, BACKWARD, STEP]
    if setup.accumulates:
        phases += [ACCUMULATE, FORWARD]
    if not (setup.half and setup.fused):
        phases.append(UPDATE)
    return tuple(phases)
