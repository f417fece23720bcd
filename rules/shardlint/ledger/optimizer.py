"""The optimizer of a plan: the row of the catalog its name and options lead to."""

from __future__ import annotations

from typing import NamedTuple

from shardlint.catalog.optimizers import Optimizer, find_optimizer
from shardlint.ledger.knobs import set_to_something, switched
from shardlint.plan import TrainingPlan

COUNTING = ("AdamW", "AdamW with amsgrad", "Adagrad", "RMSprop", "RMSprop with momentum and centering")
"""Rows whose torch class keeps a 4-byte step counter a tensor (torch 2.13)."""

EAGER = ("LOMO", "AdaLomo")
"""Optimizers that use gradients up parameter by parameter, as the `layerwise` forms of others do."""

FULL, HALF, FLAT = "state_fp32", "state_16bit", "flat"


class Choice(NamedTuple):
    """`row` is None for a name the catalog lacks. `doubt` is what was assumed, or what is not known.

    `gradients`: a gradient of the whole model is held before the step. `extra`: bytes an element of
    options that add a tensor to the row.
    """

    name: str
    row: Optimizer | None
    doubt: str = ""
    counters: bool = False
    gradients: bool = True
    extra: float = 0

    def state(self, shape: str) -> float | None:
        """State bytes an element for parameters handed over as FULL (fp32 tensors in their own shape),
        HALF (16 bit) or FLAT (one fp32 vector, so that factored optimizers lose their factoring)."""
        if self.row is None:
            return None
        size: float | None = getattr(self.row, shape)
        if size is None:
            size = self.row.state_fp32
        scale = 0.5 if shape == HALF else 1
        return None if size is None else size + self.extra * scale

    def exact(self, shape: str) -> bool:
        """Whether the state is whole tensors of the length of the parameters, as far as anybody counted."""
        return self.row is not None and self.row.exact and getattr(self.row, shape) is not None

    @property
    def on_host(self) -> bool:
        return self.row is not None and self.row.place == "host"


def optimizer_of(plan: TrainingPlan) -> Choice:
    name = plan.optimizer.value
    if name is None:
        adam = find_optimizer("AdamW")
        return Choice("AdamW", adam, "the optimizer is not stated, AdamW is assumed", counters=True)
    row = find_optimizer(name)
    if row is None:
        return Choice(name, None, f"the optimizer {name} is not in the catalog, its state is not known")
    return _with_options(row, plan, name)


def named(name: str) -> Choice:
    """The row of that name, which the catalog has."""
    return Choice(name, find_optimizer(name))


def _with_options(row: Optimizer, plan: TrainingPlan, name: str) -> Choice:
    if row.name == "SGD" and set_to_something(plan, "momentum"):
        row = find_optimizer("SGD with momentum") or row
    if row.name == "AdamW" and switched(plan, "amsgrad"):
        row = find_optimizer("AdamW with amsgrad") or row
    if row.name == "Adafactor" and set_to_something(plan, "beta1"):
        row = find_optimizer("Adafactor with beta1") or row
    extra = 0
    if row.name == "RMSprop":
        extra = 4 * (set_to_something(plan, "momentum") + switched(plan, "centered"))
    doubt = "" if row.state_fp32 is not None else f"the state of {row.name} has not been counted"
    held = row.name not in EAGER and "layerwise" not in name
    return Choice(row.name, row, doubt, row.name in COUNTING, held, extra)
