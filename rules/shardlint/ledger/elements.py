"""Elements: how many parameters a rank deals with, trainable and frozen, with their shapes where known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shardlint.ledger.dtypes import is_quantised, size_of
from shardlint.plan import ParameterGroup, Tensor, TrainingPlan


class Frozen(NamedTuple):
    """Frozen parameters held in one dtype; `size` is bytes an element, None = the dtype of the model."""

    name: str
    elements: int
    size: float | None


class Elements(NamedTuple):
    """Parameters after tensor and pipeline parallel have split the model.

    `tensors` are all of them in the order of `named_parameters()`, empty when shapes are unknown.
    `stored` is the dtype of trainable groups that state one (an fp32 adapter on a 16-bit base).
    """

    trainable: int
    frozen: tuple[Frozen, ...]
    tensors: tuple[Tensor, ...] = ()
    stored: str | None = None

    @property
    def still(self) -> int:
        return sum(part.elements for part in self.frozen)

    @property
    def moving(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.tensors if t.trainable)


def elements_of(plan: TrainingPlan, shapes: Sequence[Tensor] | None) -> Elements | None:
    """Counts of the shapes, of the groups or of the totals of the plan; None when it states none."""
    split = max(1, plan.tensor.get(1)) * max(1, plan.pipeline.get(1))
    if shapes is not None and split == 1:
        return _of_shapes(tuple(shapes), plan)
    if shapes is not None:
        still = sum(t.numel for t in shapes if not t.trainable)
        return _divided(sum(t.numel for t in shapes if t.trainable), _one("frozen", still), split)
    if plan.groups:
        return _of_groups(plan.groups, split)
    total = plan.params.value
    if total is None:
        return None
    trainable = min(total, plan.trainable.get(total))
    return _divided(trainable, _one("frozen", total - trainable), split)


def _of_shapes(tensors: tuple[Tensor, ...], plan: TrainingPlan) -> Elements:
    frozen = _one("frozen", sum(t.numel for t in tensors if not t.trainable))
    stored = next((g.stored for g in plan.groups if g.trainable), None)
    return Elements(sum(t.numel for t in tensors if t.trainable), frozen, tensors, stored)


def _of_groups(groups: tuple[ParameterGroup, ...], split: int) -> Elements:
    frozen = tuple(Frozen(g.name, g.count, _size(g)) for g in groups if not g.trainable)
    trainable = [g for g in groups if g.trainable]
    stored = next((g.stored for g in trainable if g.stored is not None), None)
    return _divided(sum(g.count for g in trainable), frozen, split)._replace(stored=stored)


def _size(group: ParameterGroup) -> float | None:
    return size_of(group.stored, 2) if is_quantised(group.stored) else None


def _one(name: str, count: int) -> tuple[Frozen, ...]:
    return (Frozen(name, count, None),) if count else ()


def _divided(trainable: int, frozen: tuple[Frozen, ...], split: int) -> Elements:
    parts = tuple(part._replace(elements=-(-part.elements // split)) for part in frozen)
    return Elements(-(-trainable // split), parts)
