"""The accounting a ledger uses, as a sentence: `mixed-precision Adam, 2 + 2 + 12 B a parameter`."""

from __future__ import annotations

from shardlint.ledger.elements import Elements
from shardlint.ledger.fsdp.storage import MIXED, storage_of
from shardlint.ledger.optimizer import Choice
from shardlint.plan import TrainingPlan

EMPTY = Elements(0, ())


def assumption_of(plan: TrainingPlan, elements: Elements | None, optimizer: Choice) -> str:
    """Weights + gradients + masters and optimizer states, in bytes a trainable parameter."""
    if plan.framework.value == "deepspeed":
        from shardlint.ledger.deepspeed.setup import setup_of

        setup = setup_of(plan, elements or EMPTY, optimizer)
        masters = setup.master if setup.half or setup.stage else 0
        full = "autocast" if plan.precision.value == "autocast" else "fp32"
        low = "pure 16-bit" if masters == 2 else "mixed-precision"
        kind = low if setup.half else full
        return _sentence(kind, optimizer.name, (setup.weight, setup.accum), masters, setup.state)
    storage = storage_of(plan, elements or EMPTY, optimizer)
    kind = _torch_kind(plan, storage.trainable)
    return _sentence(kind, optimizer.name, (storage.trainable, storage.trainable), 0, storage.state)


def _torch_kind(plan: TrainingPlan, stored: float) -> str:
    mixed = plan.precision.value in MIXED or plan.precision.value == "autocast"
    if stored == 2:
        return "pure 16-bit"
    return "mixed-precision" if mixed else "fp32"


def _sentence(kind: str, name: str, copies: tuple[float, float], masters: float, state: float | None) -> str:
    weights, gradients = copies
    short = "Adam" if name.startswith("Adam") and " " not in name else name
    rest = "?" if state is None else f"{masters + state:g}"
    return f"{kind} {short}, {weights:g} + {gradients:g} + {rest} B a parameter"
