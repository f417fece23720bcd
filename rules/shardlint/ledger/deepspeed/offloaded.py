"""Optimizer offload at stages 1 and 2: 18, not 12 bytes an element go to the host.

Beside masters and states the host keeps an fp32 gradient of the slice, a 16-bit staging copy of it and one
gradient buffer as large as the largest parameter, which the device has too. Stage 2 adds up the micro steps
on the host, whole parameters of the slice, and never frees that.
Source: DeepSpeed 0.19.8 `runtime/zero/stage_1_and_2.py:__init__`, `copy_grads_in_partition`,
`async_accumulate_grad_in_cpu_via_gpu`.
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.gradients import is_compact
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.slices import Slices
from shardlint.ledger.entry import BOUND, DEVICE, EXACT, HOST, RUNNING
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import ACCUMULATED, LARGEST_GRADIENT, STAGING


def add_buffers(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    sheet.add(setup.master_gradients, setup.master, slices.own, place=HOST)
    sheet.add(STAGING, setup.weight, slices.own, place=HOST)
    if setup.stage == 2 and setup.accumulates and not is_compact(setup) and setup.master == 4:
        certainty = EXACT if slices.groups else BOUND
        sheet.add(ACCUMULATED, setup.weight, slices.touching, RUNNING, HOST, certainty=certainty)
    if slices.largest is not None:
        largest = Amount(" x the largest parameter", slices.largest, 1, (slices.largest,))
        sheet.add(LARGEST_GRADIENT, setup.weight, largest, place=HOST)
        sheet.add(LARGEST_GRADIENT, setup.weight, largest, place=DEVICE)
