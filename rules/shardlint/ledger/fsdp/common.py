"""Terms FSDP and DDP share: what is written without shapes, and where it is kept."""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.elements import Elements
from shardlint.ledger.entry import (
    ACCUMULATE,
    ALWAYS,
    BACKWARD,
    BOUNDARY,
    DEVICE,
    ESTIMATE,
    EXACT,
    FORWARD,
    HOST,
    RUNNING,
    STEP,
    UPDATE,
)
from shardlint.ledger.fsdp.storage import Storage
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import FROZEN, GRADIENTS, STATES, STEP_TENSORS, WEIGHTS
from shardlint.plan import TrainingPlan


def place_of(plan: TrainingPlan) -> str:
    """CPU offload of FSDP moves parameters, gradients and states together."""
    words = (plan.offload_param.value, plan.offload_optimizer.value)
    return HOST if "cpu" in words else DEVICE


def gradients_held(plan: TrainingPlan) -> tuple[str, ...]:
    held = (BACKWARD, BOUNDARY, STEP, UPDATE)
    return (*held, ACCUMULATE, FORWARD) if plan.accumulation.get(1) > 1 else held


def write_counts(sheet: Sheet, plan: TrainingPlan, elements: Elements, storage: Storage, ranks: int) -> None:
    """Weights, gradients and states as P/N, unpadded."""
    shards = plan.framework.value in ("fsdp1", "fsdp2") and plan.strategy.value != "NO_SHARD"
    split = "/N" if ranks > 1 or shards else ""
    moving = Amount(f"P{split}", elements.trainable, ranks)
    place = place_of(plan)
    sheet.add(WEIGHTS, storage.trainable, moving, place=place, states=True)
    for part in elements.frozen:
        size = part.size or storage.frozen
        sheet.add(FROZEN, size, Amount(f"F{split}", part.elements, ranks), place=place, states=True)
    add_gradients(sheet, plan, storage, moving, place)
    add_states(sheet, storage, moving, place)


def add_gradients(sheet: Sheet, plan: TrainingPlan, storage: Storage, mine: Amount, place: str) -> None:
    """In the stored dtype, whatever they were reduced in. None for optimizers that use them up at once."""
    if storage.gradients:
        sheet.add(GRADIENTS, storage.trainable, mine, gradients_held(plan), place, states=True)


def add_states(sheet: Sheet, storage: Storage, moving: Amount, place: str) -> None:
    """States follow the stored dtype. torch makes them at the first step, those of Adagrad before it."""
    where = HOST if storage.on_host else place
    phases = ALWAYS if storage.eager else RUNNING
    if storage.state is None:
        sheet.add(STATES, 1, Amount("?", None), phases, where, states=True)
        return
    certainty = EXACT if storage.exact else ESTIMATE
    sheet.add(STATES, storage.state, moving, phases, where, states=True, certainty=certainty)


def add_step_tensors(sheet: Sheet, storage: Storage, tensors: tuple[int, ...]) -> None:
    if storage.counters:
        sheet.add(
            STEP_TENSORS,
            4,
            Amount(" a tensor", max(tensors, default=0), 1, tensors),
            ALWAYS if storage.eager else RUNNING,
        )
