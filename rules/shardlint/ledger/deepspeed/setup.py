"""Setup: what decides the bytes of a DeepSpeed run, taken from the plan once.

Source: DeepSpeed 0.19.8 `runtime/engine.py` (`get_data_types`, `_do_optimizer_sanity_check`,
`_configure_basic_optimizer`), `runtime/zero/config.py` for the defaults.
"""

from __future__ import annotations

from typing import NamedTuple

from shardlint.ledger.dtypes import size_of
from shardlint.ledger.elements import Elements
from shardlint.ledger.knobs import number, switched, word
from shardlint.ledger.optimizer import FLAT, FULL, HALF, Choice, named
from shardlint.ledger.terms import FP32_GRADIENTS, LOW_GRADIENTS
from shardlint.plan import TrainingPlan

BUCKET = 500_000_000
"""Elements: the default of reduce_bucket_size."""

OFF = (None, "none", "None")


class Setup(NamedTuple):
    """Element sizes in bytes: `weight`, `accum` (gradient accumulation), `master`, `comm` (reduction).

    `state` is bytes of optimizer state an element of the master, None when unknown; `exact` whether that is
    whole tensors. `counters`: a 4-byte step counter a tensor.
    `fused`: DeepSpeed's own FusedAdam, whose stage 0 wrapper flattens. `adagrad`: torch's, which keeps a
    stale copy of its sums. `muon`: matrices get a momentum of their own, outside the partition.
    """

    plan: TrainingPlan
    elements: Elements
    ranks: int
    stage: int
    weight: int
    accum: int
    master: int
    comm: tuple[int, ...]
    state: float | None
    exact: bool
    counters: bool
    on_host: bool
    fused: bool
    adagrad: bool
    muon: bool
    offload: str | None
    offload_param: str | None
    micro_steps: int

    @property
    def half(self) -> bool:
        return self.weight == 2

    @property
    def master_gradients(self) -> str:
        """The term of the gradients handed to the optimizer, which have the dtype of the masters."""
        return LOW_GRADIENTS if self.master == 2 else FP32_GRADIENTS

    @property
    def bucket(self) -> int | None:
        """Elements of reduce_bucket_size; None where it is open."""
        stated = self.plan.options.get("reduce_bucket_size")
        if stated is not None and not stated.known:
            return None
        return number(self.plan, "reduce_bucket_size", BUCKET)

    @property
    def contiguous(self) -> bool:
        return switched(self.plan, "contiguous_gradients", True)

    @property
    def accumulates(self) -> bool:
        return self.micro_steps > 1


def setup_of(plan: TrainingPlan, elements: Elements, optimizer: Choice) -> Setup:
    """Where the precision is not stated, 16-bit weights; the caller says so."""
    stage = plan.stage.get(0)
    weight = int(size_of(plan.precision.value, 2))
    weight = weight if weight in (2, 4) else 2
    offload = _place(plan.offload_optimizer.value) if stage else None
    low = stage > 0 and (
        switched(plan, "bf16_master_weights_and_grads") or switched(plan, "fp16_master_weights_and_grads")
    )
    used = _on_cpu(optimizer, plan) if offload else optimizer
    on_cpu = used.name != optimizer.name
    shape = _shape(plan, stage, low, on_cpu)
    fused = optimizer.name == "AdamW" and not _is_torch(plan) and not on_cpu
    return Setup(
        plan=plan,
        elements=elements,
        ranks=plan.shard.get(1) if stage else 1,
        stage=stage,
        weight=weight,
        accum=int(size_of(plan.accum_dtype.value, weight)) if stage else weight,
        master=2 if low else 4,
        comm=_reduced_in(plan, weight),
        state=optimizer.state(shape) if shape == HALF else used.state(shape),
        exact=used.exact(shape),
        counters=used.counters and not fused,
        on_host=optimizer.on_host,
        fused=fused,
        adagrad=used.name == "Adagrad",
        muon=optimizer.name == "Muon",
        offload=offload,
        offload_param=_place(plan.offload_param.value) if stage == 3 else None,
        micro_steps=plan.accumulation.get(1),
    )


def _place(device: str | None) -> str | None:
    if device in OFF:
        return None
    return "nvme" if device == "nvme" else "host"


def _reduced_in(plan: TrainingPlan, weight: int) -> tuple[int, ...]:
    """Element sizes of the reduction buckets. Under torch_autocast one a dtype that gradients come in."""
    if plan.precision.value == "autocast":
        return (4, int(size_of(word(plan, "torch_autocast.dtype"), 2)))
    return (int(size_of(word(plan, "communication_data_type"), weight)),)


def _on_cpu(optimizer: Choice, plan: TrainingPlan) -> Choice:
    """Offload replaces DeepSpeed's optimizers by their CPU forms (`engine.py:_configure_basic_optimizer`)."""
    forms = {"AdamW": "DeepSpeedCPUAdam", "Lion": "DeepSpeedCPULion", "Adagrad": "DeepSpeedCPUAdagrad"}
    found = forms.get(optimizer.name)
    return named(found) if found and not _is_torch(plan) else optimizer


def _shape(plan: TrainingPlan, stage: int, low: bool, on_cpu: bool) -> str:
    """What the optimizer is handed. States follow 16-bit masters, those of DeepSpeedCPUAdam only where asked
    for (`bf16_optimizer_states`; fp32_optimizer_states is true by default)."""
    if stage == 0:
        return FULL
    asked = switched(plan, "bf16_optimizer_states") or not switched(plan, "fp32_optimizer_states", True)
    return HALF if low and (asked or not on_cpu) else FLAT


def _is_torch(plan: TrainingPlan) -> bool:
    """torch's Adam instead of DeepSpeed's: by option, or an optimizer the program makes itself."""
    name = plan.optimizer.get("").lower()
    return switched(plan, "torch_adam") or name.startswith(("torch.", "adamw_torch"))
