"""Units: the parameters FSDP gathers together, by the names of the modules they are wrapped at."""

from __future__ import annotations

from collections.abc import Sequence

from shardlint.plan import Tensor, TrainingPlan

Unit = tuple[Tensor, ...]

ROOT = ""
UNWRAPPED = ("NO_WRAP", "none", "no_wrap")


def units_of(
    tensors: Sequence[Tensor], plan: TrainingPlan, prefixes: Sequence[str] | None
) -> dict[str, Unit]:
    """Tensors by unit, what no prefix claims in the root unit (''), which comes first.

    Without `prefixes` every numbered block is a unit (`model.layers.0.`), as transformer wrapping does;
    without a wrap policy the whole model is one.
    """
    found: dict[str, list[Tensor]] = {ROOT: []}
    unwrapped = prefixes is None and plan.wrap.value in UNWRAPPED
    for tensor in tensors:
        name = ROOT if unwrapped else _unit(tensor.name, prefixes)
        found.setdefault(name, []).append(tensor)
    return {name: tuple(unit) for name, unit in found.items() if unit}


def _unit(name: str, prefixes: Sequence[str] | None) -> str:
    if prefixes is not None:
        return max((p for p in prefixes if name.startswith(p)), key=len, default=ROOT)
    parts = name.split(".")
    for at, part in enumerate(parts[:-1]):
        if part.isdigit() and at > 0:
            return ".".join(parts[: at + 1])
    return ROOT
