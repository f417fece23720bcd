"""The GPU and the host: what is stated wins over the row of the GPU table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shardlint.plan import ASSUMED, DERIVED, Fact, unknown
from shardlint.report import GIB
from shardlint.settings import Settings

if TYPE_CHECKING:
    from shardlint.catalog.gpus import Gpu


class Hardware(NamedTuple):
    """`memory` and `host` in bytes; `capability` is the CUDA compute capability."""

    name: Fact[str]
    memory: Fact[int]
    capability: Fact[float]
    host: Fact[int]


def hardware(settings: Settings) -> Hardware:
    name = settings.text("gpu.name")
    row = _row(name.value) if name.value is not None else None
    return Hardware(
        name,
        _bytes(settings.number("gpu.memory_gib")).or_else(_row_memory(name, row)),
        settings.number("gpu.compute_capability").or_else(_row_capability(name, row)),
        _bytes(settings.number("host_memory_gib")),
    )


def _row(name: str) -> Gpu | None:
    from shardlint.catalog.gpus import find_gpu

    return find_gpu(name)


def _bytes(fact: Fact[float]) -> Fact[int]:
    if fact.value is None:
        return unknown(fact.origin)
    return Fact(int(fact.value * GIB), fact.origin, fact.standing, fact.place)


def _row_memory(name: Fact[str], row: Gpu | None) -> Fact[int]:
    if row is None:
        return unknown(_no_row(name))
    if row.memory is None:
        return unknown(f"the memory of {name.value} is in no table; set gpu.memory_gib")
    if row.guessed:
        origin = f"{name.value} taken as {row.name}; set gpu.memory_gib ({name.origin})"
        return Fact(row.memory, origin, ASSUMED, name.place)
    return Fact(row.memory, f"GPU table, {row.name} ({name.origin})", DERIVED, name.place)


def _row_capability(name: Fact[str], row: Gpu | None) -> Fact[float]:
    if row is None or row.capability is None:
        return unknown(_no_row(name))
    return Fact(row.capability, f"GPU table, {row.name} ({name.origin})", DERIVED, name.place)


def _no_row(name: Fact[str]) -> str:
    if name.value is None:
        return "set gpu.name"
    return f"{name.value} is in no table; set gpu.memory_gib and gpu.compute_capability"
