"""Inside `step()` of stage 3, one sub-group at a time: its gradients are flattened, then cast.

Both copies are alive at once, in the accumulation dtype and in that of the masters. A sub-group of one
tensor is not copied to be flattened, and nothing is copied to be cast when the two dtypes are the same.
Source: DeepSpeed 0.19.8 `runtime/zero/stage3.py:_prepare_fp32_grad_for_sub_group`; measured on 2 to 4 ranks.
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.parts import Parts, SubGroup
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.entry import STEP, UPDATE
from shardlint.ledger.knobs import number
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import FLAT_GRADIENTS


def add_step_copies(sheet: Sheet, setup: Setup, parts: Parts) -> None:
    if not parts.sub_groups:
        _add_without_shapes(sheet, setup)
        return
    largest = max(_copies(setup, group) for group in parts.sub_groups)
    sheet.add(FLAT_GRADIENTS, 1, Amount(" B", largest, 1, (largest,)), (STEP,))
    first = parts.sub_groups[0]
    held = first.elements if _is_copied(setup, first) else 0
    sheet.add(
        setup.master_gradients, setup.master, Amount(" of the first sub-group", held, 1, (held,)), (UPDATE,)
    )


def _copies(setup: Setup, group: SubGroup) -> int:
    """Bytes made on the way to the gradient of the masters."""
    flat = setup.accum if group.tensors > 1 else 0
    return (flat + _cast(setup)) * group.elements


def _cast(setup: Setup) -> int:
    return setup.master if setup.master != setup.accum else 0


def _is_copied(setup: Setup, group: SubGroup) -> bool:
    """Whether the gradient of the masters is memory of its own, not a view of the gradient partition."""
    return group.tensors > 1 or _cast(setup) > 0


def _add_without_shapes(sheet: Sheet, setup: Setup) -> None:
    limit = number(setup.plan, "sub_group_size", 1_000_000_000)
    count = setup.elements.trainable
    whole = -(-count // setup.ranks) <= limit
    working = Amount("P/N", count, setup.ranks) if whole else Amount(" of a sub-group", limit)
    sheet.add(FLAT_GRADIENTS, setup.accum, working, (STEP,))
    sheet.add(setup.master_gradients, _cast(setup), working, (STEP,))
    sheet.add(setup.master_gradients, setup.master, working, (UPDATE,))
