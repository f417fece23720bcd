"""FSDP1: FULL_SHARD, SHARD_GRAD_OP, NO_SHARD and the hybrid forms of the first two.

All but NO_SHARD hold the same between steps; they differ in what is still gathered after the forward pass.
A unit with any trainable parameter has a gradient for all of it, frozen parameters included. Source: torch
2.13 `distributed/fsdp/_flat_param.py`, `_runtime_utils.py`; measured on 2, 3 and 4 ranks.
"""

from __future__ import annotations

from collections.abc import Sequence

from shardlint.ledger.amount import Amount
from shardlint.ledger.elements import Elements
from shardlint.ledger.entry import BACKWARD, FORWARD
from shardlint.ledger.fsdp.common import add_gradients, add_states, add_step_tensors, place_of, write_counts
from shardlint.ledger.fsdp.flat_unit import FlatUnit, lay_out
from shardlint.ledger.fsdp.storage import Storage
from shardlint.ledger.fsdp.units import ROOT, units_of
from shardlint.ledger.knobs import switched
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import FROZEN, GATHERED, WEIGHTS
from shardlint.plan import TrainingPlan

KEPT_AFTER_FORWARD = ("SHARD_GRAD_OP", "HYBRID_SHARD_ZERO2")
ALIGNMENT = 16


def write(
    sheet: Sheet, plan: TrainingPlan, elements: Elements, storage: Storage, prefixes: Sequence[str] | None
) -> None:
    strategy = plan.strategy.get("FULL_SHARD").lstrip("_")
    sharded = strategy != "NO_SHARD"
    ranks = plan.shard.get(1) if sharded else 1
    if not elements.tensors:
        write_counts(sheet, plan, elements, storage, ranks)
        if strategy in KEPT_AFTER_FORWARD:
            total = elements.trainable + elements.still
            sheet.add(GATHERED, storage.compute, Amount("P", total), (FORWARD, BACKWARD))
        return
    originals = switched(plan, "fsdp_use_orig_params", True)
    tail = ranks if sharded else plan.world.get(1)
    units = {
        name: lay_out(unit, ranks, tail, _alignment(storage) if originals else 1, originals)
        for name, unit in units_of(elements.tensors, plan, prefixes).items()
    }
    _write_units(sheet, plan, elements, storage, list(units.values()), ranks)
    if sharded:
        whole = units.values() if strategy in KEPT_AFTER_FORWARD else [units[ROOT]] if ROOT in units else []
        _add_gathered(sheet, storage, sum(unit.full for unit in whole))


def _alignment(storage: Storage) -> int:
    return max(1, ALIGNMENT // int(storage.compute))


def _write_units(
    sheet: Sheet, plan: TrainingPlan, elements: Elements, storage: Storage, units: list[FlatUnit], ranks: int
) -> None:
    place = place_of(plan)
    training = sum(unit.shard for unit in units if unit.trains)
    still = sum(unit.shard for unit in units if not unit.trains)
    mine = Amount("P/N", elements.trainable, ranks, (training,))
    sheet.add(WEIGHTS, storage.trainable, mine, place=place, states=True)
    sheet.add(
        FROZEN, storage.frozen, Amount("F/N", elements.still, ranks, (still,)), place=place, states=True
    )
    add_gradients(sheet, plan, storage, mine, place)
    moving = tuple(sum(unit.moving[rank] for unit in units) for rank in range(ranks))
    add_states(sheet, storage, Amount("P/N", elements.trainable, ranks, moving), place)
    held = tuple(sum(unit.held[rank] for unit in units) for rank in range(ranks))
    if storage.eager and switched(plan, "fsdp_use_orig_params", True):
        held = (len(elements.moving),)
    add_step_tensors(sheet, storage, held)


def _add_gathered(sheet: Sheet, storage: Storage, count: int) -> None:
    sheet.add(
        GATHERED, storage.compute, Amount(" gathered after the forward pass", count, 1, (count,)), (FORWARD,)
    )
