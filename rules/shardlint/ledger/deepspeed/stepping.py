"""Inside `step()` of stages 1 and 2, one group at a time: gradients are flattened, then cast to the master
dtype, while what they were made from is still held. Before that norms are taken in fp64, one parameter at a
time.

Source: DeepSpeed 0.19.8 `runtime/zero/stage_1_and_2.py:step`, `get_grad_norm_direct`,
`zero/utils.py:get_norm_dtype`. Device-independent code, measured on CPU.
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.gradients import is_compact
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.slices import Slices
from shardlint.ledger.entry import STEP, UPDATE
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import FLAT_GRADIENTS, FP32_GRADIENTS

NORM = 8


def add_step_copies(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    flat, cast = _copies(setup)
    if not slices.groups:
        sheet.add(FLAT_GRADIENTS, flat, slices.own, (STEP,))
        sheet.add(FP32_GRADIENTS, cast, slices.own, (STEP,))
        sheet.add(FP32_GRADIENTS, setup.master, slices.own, (UPDATE,))
        return
    first = slices.groups[0].own
    sheet.add(FP32_GRADIENTS, setup.master, Amount(" of the first group", first, 1, (first,)), (UPDATE,))
    largest = max(group.own for group in slices.groups)
    pieces = [max(group.piece[rank] for group in slices.groups) for rank in range(setup.ranks)]
    peaks = tuple(max((flat + cast) * largest, NORM * piece) for piece in pieces)
    sheet.add(FLAT_GRADIENTS, 1, Amount(" B", max(peaks), 1, peaks), (STEP,))


def _copies(setup: Setup) -> tuple[int, int]:
    """Bytes an element of the flattened copy and of its cast; 0 where the tensor itself is handed on."""
    if is_compact(setup):
        return 0, 0
    return setup.weight, setup.master if setup.master != setup.weight else 0
