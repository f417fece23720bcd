"""How memory rules word a ledger, and the same plan worked out another way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.files import open_names
from shardlint.plan import DERIVED, GIVEN, Fact
from shardlint.report import GIB, gib, listing

if TYPE_CHECKING:
    from shardlint.compose import Job
    from shardlint.ledger import Ledger
    from shardlint.plan import TrainingPlan


PLACES = {"host": "host memory", "nvme": "NVMe files"}

OPENABLE = {
    "precision": ("enabled", "bf16", "fp16", "mixed_precision"),
    "optimizer": ("type", "optim"),
    "accum_dtype": ("grad_accum_dtype",),
    "load_dtype": ("torch_dtype", "dtype"),
    "offload_optimizer": (
        "device",
        "offload_optimizer_device",
        "fsdp_offload_params",
        "offload_params",
        "cpu_offload",
    ),
    "offload_param": ("device", "offload_param_device", "cpu_offload_param"),
}
"""Facts of a plan, and the keys that would state them if they were not open."""

ALWAYS_OPEN = frozenset(
    {
        "autotp_size",
        "tp_size",
        "use_peft",
        "lora_r",
        "lora_target_modules",
        "bf16_master_weights_and_grads",
        "fp16_master_weights_and_grads",
        "bf16_optimizer_states",
        "parallelism_config_tp_size",
        "parallelism_config_cp_size",
    }
)
"""Keys whose default holds more bytes than another value would."""


def settled(plan: TrainingPlan, job: Job) -> bool:
    """Whether no value that is still open could make the states smaller than the ledger says."""
    opened = open_names(job)
    if not opened:
        return True
    doubted = any(not getattr(plan, fact).known and opened.intersection(OPENABLE[fact]) for fact in OPENABLE)
    return not doubted and not opened & ALWAYS_OPEN


def confidence(ledger: Ledger) -> str:
    return "assumed" if ledger.assumes else "certain"


def explained(plan: TrainingPlan, ledger: Ledger) -> str:
    """`16P/N, N = 8 (world_size, shardlint.toml:2): mixed-precision Adam, 2 + 2 + 12 B a parameter.`

    Without a formula nothing is left on the device; then the accounting alone is named.
    """
    if not ledger.formula:
        return f"{ledger.assumption[:1].upper()}{ledger.assumption[1:]}, all of it off the GPU."
    ranks = f", N = {plan.shard.value} ({plan.shard.origin})" if "/N" in ledger.formula else ""
    return f"{ledger.formula}{ranks}: {ledger.assumption}."


def held(ledger: Ledger) -> str:
    """`13.04 GiB/rank`, and where the states are if none is on the device."""
    figure = f"{gib(ledger.states or 0)}/rank"
    off = [f"{gib(size)}/rank in {PLACES[place]}" for place, size in ledger.elsewhere().items()]
    return figure if ledger.formula or not off else f"{figure} on the GPU ({listing(off, 'and')})"


def most_memory(plan: TrainingPlan) -> int:
    """The most bytes a GPU of that name may have: what is stated, else its nominal size taken as GiB.

    The table has the lowest total seen: error correction, the driver and the card itself take their share of
    the nominal size, and not the same on every machine.
    """
    stated = plan.gpu_bytes.get(0)
    if plan.gpu_bytes.standing == GIVEN or plan.gpu_name.value is None:
        return stated
    from shardlint.catalog.gpus import find_gpu

    card = find_gpu(plan.gpu_name.value)
    return max(stated, card.marketing_gb * GIB) if card is not None else stated


def gpu(plan: TrainingPlan) -> str:
    return f"the {plan.gpu_name.value}" if plan.gpu_name.value else "the GPU"


def otherwise(plan: TrainingPlan) -> str:
    """A way to hold less on the device, by the same ledger: `ZeRO-3 leaves 13.04 GiB/rank`, or nothing."""
    from shardlint.ledger import ledger

    for name, other in _alternatives(plan):
        found = ledger(other)
        if found.known:
            return f"{name} leaves {held(found)}"
    return ""


def _alternatives(plan: TrainingPlan) -> list[tuple[str, TrainingPlan]]:
    world, shard = plan.world.value, plan.shard.value
    wider = Fact(world, plan.world.origin, DERIVED)
    found: list[tuple[str, TrainingPlan]] = []
    if plan.framework.value == "fsdp1" and world and shard and shard < world:
        full = plan._replace(strategy=Fact("FULL_SHARD"), shard=wider, replicate=Fact(1))
        found.append((f"FULL_SHARD over all {world} ranks", full))
    if plan.framework.value == "deepspeed":
        if plan.stage.get(0) < 3 and shard and shard > 1:
            found.append(("ZeRO-3", plan._replace(stage=Fact(3))))
        if plan.offload_optimizer.value not in ("cpu", "nvme"):
            stage = Fact(max(plan.stage.get(0), 1))
            found.append(("offload_optimizer", plan._replace(stage=stage, offload_optimizer=Fact("cpu"))))
    return found
