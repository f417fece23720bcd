"""Parts: the amounts stage 3 is written in. Every parameter is cut by itself, so that each is padded.

Source: DeepSpeed 0.19.8 `runtime/zero/partition_parameters.py` (ceil(numel / ranks) a parameter),
`runtime/zero/stage3.py:_create_fp16_sub_groups`, `parameter_offload.py:mark_persistent_parameters`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.groups import parameter_groups
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.knobs import number
from shardlint.plan import Tensor

UNLIMITED = 2**63 - 1


class SubGroup(NamedTuple):
    """What the step works on in turn: elements of a rank, and how many tensors they come from."""

    elements: int
    tensors: int


class Parts(NamedTuple):
    """`own`: a rank's part of the trainable parameters, `frozen` of the others. `sub_groups`: what the step
    works on in turn (empty without shapes). `persistent`: the parameters that stay gathered; None without
    shapes."""

    own: Amount
    frozen: Amount
    sub_groups: tuple[SubGroup, ...]
    persistent: tuple[Tensor, ...] | None


def parts_of(setup: Setup) -> Parts:
    elements, ranks = setup.elements, setup.ranks
    if not elements.tensors:
        own = Amount("P/N", elements.trainable, ranks)
        return Parts(own, Amount("F/N", elements.still, ranks), (), None)
    mine = sum(part(t, ranks) for t in elements.moving)
    still = sum(part(t, ranks) for t in elements.tensors if not t.trainable)
    return Parts(
        own=Amount("P/N", elements.trainable, ranks, (mine,)),
        frozen=Amount("F/N", elements.still, ranks, (still,)),
        sub_groups=_sub_groups(setup),
        persistent=persistent(setup, elements.tensors),
    )


def part(tensor: Tensor, ranks: int) -> int:
    """Elements of a parameter on each rank."""
    return -(-tensor.numel // ranks)


def gathered(tensors: Sequence[Tensor], ranks: int) -> int:
    """Elements of parameters put together again from their padded parts."""
    return sum(part(t, ranks) * ranks for t in tensors)


def persistent(setup: Setup, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Small parameters stay gathered, in order, as long as their sum stays below the model threshold."""
    small = number(setup.plan, "stage3_param_persistence_threshold", 100_000)
    most = number(setup.plan, "stage3_model_persistence_threshold", UNLIMITED)
    kept: list[Tensor] = []
    total = 0
    for tensor in tensors:
        if tensor.numel <= small and total + tensor.numel <= most:
            kept.append(tensor)
            total += tensor.numel
    return tuple(kept)


def _sub_groups(setup: Setup) -> tuple[SubGroup, ...]:
    """A sub-group is closed by the parameter that fills it; `sub_group_size` counts a rank's elements."""
    limit = number(setup.plan, "sub_group_size", 1_000_000_000)
    found: list[SubGroup] = []
    for group in parameter_groups(setup):
        filled = SubGroup(0, 0)
        for tensor in group:
            filled = SubGroup(filled.elements + part(tensor, setup.ranks), filled.tensors + 1)
            if filled.elements >= limit:
                found.append(filled)
                filled = SubGroup(0, 0)
        if filled.tensors:
            found.append(filled)
    return tuple(found)
