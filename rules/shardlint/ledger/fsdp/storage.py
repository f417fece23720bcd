"""Storage: the dtypes a torch run keeps its parameters in.

FSDP keeps no 16-bit copy between steps: mixed precision is 4 + 4 + 8 B a parameter over N. Without mixed
precision everything follows the dtype the model was loaded in (pure bf16: 2 + 2 + 4). accelerate casts
trainable parameters of a 16-bit model to fp32 when mixed precision is on (accelerate 1.15 `accelerator.py`,
`utils/fsdp_utils.py:fsdp2_prepare_model`); `upcast: false` in the options says that nobody does.
"""

from __future__ import annotations

from typing import NamedTuple

from shardlint.ledger.dtypes import size_of
from shardlint.ledger.elements import Elements
from shardlint.ledger.knobs import switched
from shardlint.ledger.optimizer import FLAT, FULL, HALF, Choice
from shardlint.plan import TrainingPlan

SHARDING = ("fsdp1", "fsdp2")
MIXED = ("bf16", "fp16", "fp8")


class Storage(NamedTuple):
    """Bytes an element of trainable and frozen parameters, and of the gathered copies. `state` is bytes of
    optimizer state an element, None when unknown, `exact` whether that is whole tensors; `counters` a 4-byte
    step counter a tensor, `eager` where the optimizer makes its states when it is built, for empty shards
    too; `gradients` held until the step; `on_host` where the optimizer keeps its states."""

    trainable: float
    frozen: float
    compute: float
    state: float | None
    exact: bool
    counters: bool
    eager: bool
    gradients: bool
    on_host: bool


def storage_of(plan: TrainingPlan, elements: Elements, optimizer: Choice) -> Storage:
    framework = plan.framework.get("single")
    loaded = size_of(plan.load_dtype.value, 4)
    mixed = plan.precision.value in MIXED
    stored = 4 if _is_cast(plan) else size_of(elements.stored, loaded)
    compute = 2 if mixed and framework in SHARDING else stored
    shape = HALF if stored == 2 else FLAT if framework == "fsdp1" else FULL
    return Storage(
        trainable=stored,
        frozen=loaded,
        compute=compute,
        state=optimizer.state(shape),
        exact=optimizer.exact(shape),
        counters=optimizer.counters,
        eager=optimizer.name == "Adagrad",
        gradients=optimizer.gradients,
        on_host=optimizer.on_host,
    )


def loading_matters(plan: TrainingPlan, elements: Elements) -> bool:
    """Whether the dtype the model is loaded in decides some figure, and nobody states it."""
    if plan.load_dtype.known:
        return False
    return elements.still > 0 or not (_is_cast(plan) or elements.stored)


def _is_cast(plan: TrainingPlan) -> bool:
    """Trainable parameters are cast to fp32 whatever they were loaded in."""
    sharding = plan.framework.value in SHARDING
    return sharding and plan.precision.value in MIXED and switched(plan, "upcast", True)
