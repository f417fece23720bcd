"""FSDP2: every parameter is cut along its first dimension, padded to ceil(rows / N) rows on every rank.

The padding is allocated even where a rank has no row; optimizer states exist for real rows only, so that
the last ranks hold less. Source: torch 2.13 `distributed/fsdp/_fully_shard/_fsdp_param.py`; measured on 2, 3
and 4 ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from shardlint.ledger.amount import Amount
from shardlint.ledger.elements import Elements
from shardlint.ledger.entry import BACKWARD, FORWARD
from shardlint.ledger.fsdp.common import add_gradients, add_states, add_step_tensors, place_of, write_counts
from shardlint.ledger.fsdp.storage import Storage
from shardlint.ledger.fsdp.units import ROOT, units_of
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import FROZEN, GATHERED, WEIGHTS
from shardlint.plan import Tensor, TrainingPlan


def write(
    sheet: Sheet, plan: TrainingPlan, elements: Elements, storage: Storage, prefixes: Sequence[str] | None
) -> None:
    ranks = plan.shard.get(1)
    if not elements.tensors:
        write_counts(sheet, plan, elements, storage, ranks)
        if plan.reshard.value is False:
            total = elements.trainable + elements.still
            sheet.add(GATHERED, storage.compute, Amount("P", total), (FORWARD, BACKWARD))
        return
    moving = [t for t in elements.tensors if t.trainable]
    still = [t for t in elements.tensors if not t.trainable]
    place = place_of(plan)
    mine = Amount("P/N", elements.trainable, ranks, (_padded(moving, ranks),))
    sheet.add(WEIGHTS, storage.trainable, mine, place=place, states=True)
    frozen = Amount("F/N", elements.still, ranks, (_padded(still, ranks),))
    sheet.add(FROZEN, storage.frozen, frozen, place=place, states=True)
    add_gradients(sheet, plan, storage, mine, place)
    add_states(sheet, storage, Amount("P/N", elements.trainable, ranks, _real(moving, ranks)), place)
    add_step_tensors(sheet, storage, (len(moving),))
    _add_gathered(sheet, plan, elements, storage, prefixes)


def _row(tensor: Tensor) -> int:
    """Elements of one row; a scalar is one row of one element."""
    rows = tensor.shape[0] if tensor.shape else 1
    return tensor.numel // rows if rows else 0


def _chunk(tensor: Tensor, ranks: int) -> int:
    return -(-(tensor.shape[0] if tensor.shape else 1) // ranks)


def _real(tensors: Sequence[Tensor], ranks: int) -> tuple[int, ...]:
    """Elements that are no padding, on each rank: whole chunks, then what is left, then nothing."""
    steps = [0] * (ranks + 1)
    for tensor in tensors:
        chunk, row = _chunk(tensor, ranks), _row(tensor)
        whole, left = divmod(tensor.shape[0] if tensor.shape else 1, chunk or 1)
        steps[0] += chunk * row
        steps[whole] -= (chunk - left) * row
        if left:
            steps[whole + 1] -= left * row
    return tuple(accumulate(steps[:ranks]))


def _padded(tensors: Sequence[Tensor], ranks: int) -> int:
    return sum(_chunk(t, ranks) * _row(t) for t in tensors)


def _add_gathered(
    sheet: Sheet, plan: TrainingPlan, elements: Elements, storage: Storage, prefixes: Sequence[str] | None
) -> None:
    """After the forward pass: the root unit by default (torch leaves it gathered), nothing where
    reshard_after_forward is true for all, the whole model where it is false, a share of it for a number."""
    reshard, ranks = plan.reshard.value, plan.shard.get(1)
    if reshard is True:
        return
    if reshard is None:
        kept = units_of(elements.tensors, plan, prefixes).get(ROOT, ())
        count = _padded(kept, ranks) * ranks
    else:
        count = _padded(elements.tensors, ranks) * ranks // max(1, int(reshard))
    sheet.add(
        GATHERED, storage.compute, Amount(" gathered after the forward pass", count, 1, (count,)), (FORWARD,)
    )
