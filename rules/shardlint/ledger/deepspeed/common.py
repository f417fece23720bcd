"""Terms every DeepSpeed stage has: frozen weights, optimizer states and their counters."""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.entry import ALWAYS, BACKWARD, BOUND, DEVICE, ESTIMATE, EXACT, HOST, RUNNING
from shardlint.ledger.knobs import switched
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import BUCKET, FROZEN, STALE, STALE_COUNTERS, STATES, STEP_TENSORS, WEIGHTS

REDUCED_AT_ONCE = 500_000_000
"""Elements: `MEMORY_OPT_ALLREDUCE_SIZE` of DeepSpeed 0.19.8."""


def add_weights(sheet: Sheet, setup: Setup, whole: Amount) -> None:
    """Replicated weights, then frozen ones, which are neither padded nor cast when quantised."""
    sheet.add(WEIGHTS, setup.weight, whole, states=True)
    for part in setup.elements.frozen:
        amount = Amount("F", part.elements, 1, (part.elements,) if setup.elements.tensors else ())
        sheet.add(FROZEN, part.size or setup.weight, amount, states=True)


def add_states(sheet: Sheet, setup: Setup, own: Amount, from_load: bool, place: str = DEVICE) -> None:
    """Moments. Most optimizers make them at the first step, torch's Adagrad when it is built."""
    phases = ALWAYS if from_load or setup.adagrad else RUNNING
    where = HOST if setup.on_host else place
    if setup.state is None:
        sheet.add(STATES, 1, Amount("?", None), phases, where, states=True)
        return
    certainty = EXACT if setup.exact else ESTIMATE
    sheet.add(STATES, setup.state, own, phases, where, states=True, certainty=certainty)


def add_step_tensors(sheet: Sheet, setup: Setup, tensors: int, from_load: bool) -> None:
    """torch counts steps in a 4-byte tensor for each tensor it updates."""
    if setup.counters and setup.elements.tensors:
        phases = ALWAYS if from_load or setup.adagrad else RUNNING
        sheet.add(STEP_TENSORS, 4, Amount(" a tensor", tensors, 1, (tensors,)), phases)


def add_reduction(sheet: Sheet, setup: Setup) -> None:
    """Without ZeRO's own buckets the engine flattens gradients to reduce them, so many elements at a time
    (`engine.py:buffered_allreduce_fallback`)."""
    count = min(setup.elements.trainable, REDUCED_AT_ONCE)
    at_once = Amount(f" x {count:,} elements", count, 1, (count,))
    sheet.add(BUCKET, setup.comm[0], at_once, (BACKWARD,), certainty=BOUND)


def add_stale_sums(sheet: Sheet, setup: Setup) -> None:
    """torch.optim.Adagrad makes its sums when it is built, on the parameters as they are then; DeepSpeed
    builds it anew and keeps the first one alive (`engine.basic_optimizer`). Measured at stages 0, 2 and 3.
    Where zero.Init has cut the parameters before, there was nothing to copy."""
    in_parts = setup.stage == 3 and switched(setup.plan, "zero3_init_flag")
    if not setup.adagrad or in_parts:
        return
    count = setup.elements.trainable
    exact = (count,) if setup.elements.tensors else ()
    sheet.add(STALE, setup.weight, Amount("P", count, 1, exact))
    if setup.elements.tensors:
        tensors = len(setup.elements.moving)
        sheet.add(STALE_COUNTERS, 4, Amount(" a tensor", tensors, 1, (tensors,)))
