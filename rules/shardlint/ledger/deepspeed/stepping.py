"""Inside `step()` of stages 1 and 2, one group at a time: gradients are flattened, then cast to the master
dtype, while what they were made from is still held. Before that norms are taken in fp64, one parameter at a
time.

Source: DeepSpeed 0.19.8 `runtime/zero/stage_1_and_2.py:step`, `get_grad_norm_direct`,
`zero/utils.py:get_norm_dtype`. Device-independent code, measured on CPU.
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.flat import Flat
from shardlint.ledger.deepspeed.gradients import is_compact
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.deepspeed.slices import Slices
from shardlint.ledger.entry import STEP, UPDATE
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import FLAT_GRADIENTS

NORM = 8


def add_step_copies(sheet: Sheet, setup: Setup, slices: Slices) -> None:
    flat, cast = _copies(setup)
    if not slices.groups:
        sheet.add(FLAT_GRADIENTS, flat, slices.own, (STEP,))
        sheet.add(setup.master_gradients, cast, slices.own, (STEP,))
        sheet.add(setup.master_gradients, setup.master, slices.own, (UPDATE,))
        return
    ranks = range(setup.ranks)
    peaks = tuple(max(_peak(group, rank, flat, cast) for group in slices.groups) for rank in ranks)
    sheet.add(FLAT_GRADIENTS, 1, Amount(" B", max(peaks), 1, peaks), (STEP,))
    first = slices.groups[0]
    held = tuple(_updated(setup, first, rank, cast) for rank in ranks)
    sheet.add(setup.master_gradients, 1, Amount(" B", max(held), 1, held), (UPDATE,))


def _peak(group: Flat, rank: int, flat: int, cast: int) -> int:
    """Bytes of the copies of one group. What is one piece already is not copied to be flattened."""
    copied = flat if group.pieces[rank] > 1 else 0
    return max((copied + cast) * group.own, NORM * group.piece[rank])


def _updated(setup: Setup, first: Flat, rank: int, cast: int) -> int:
    """Bytes held by the gradient of the first group's masters: where nothing was copied, the gradient it is
    a view of, whole."""
    is_view = not is_compact(setup) and not cast and first.pieces[rank] == 1
    return setup.weight * first.touching[rank] if is_view else setup.master * first.own


def _copies(setup: Setup) -> tuple[int, int]:
    """Bytes an element of the flattened copy and of its cast; 0 where the tensor itself is handed on."""
    if is_compact(setup):
        return 0, 0
    return setup.weight, setup.master if setup.master != setup.weight else 0
