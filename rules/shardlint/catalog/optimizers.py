"""Optimizers by the names configs use, and the bytes of state each keeps a parameter."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from shardlint.catalog.near import near
from shardlint.catalog.tables import number, rows


class Optimizer(NamedTuple):
    """State bytes a trainable parameter, weights and gradients not counted; None where never counted.

    `state_fp32` and `state_16bit`: the optimizer sees 2-D weights of that dtype (FSDP, DDP). `flat`: it
    sees flat fp32 partitions (DeepSpeed ZeRO). `tensors` names the states. `kind` is exact (holds for every
    shape, each tensor has parameter length), shape (depends on shapes, see `remark`) or unknown.
    `place` is where the states lie by themselves: device or host. `needs` is the package it comes from.
    """

    name: str
    state_fp32: float | None
    state_16bit: float | None
    flat: float | None
    tensors: tuple[str, ...]
    place: str
    kind: str
    needs: str
    remark: str
    source: str
    aliases: tuple[str, ...]

    @property
    def exact(self) -> bool:
        return self.kind == "exact"


def find_optimizer(name: str) -> Optimizer | None:
    """The optimizer a config calls `name`: an HF `optim` value, a DeepSpeed `type`, a class with or without
    its module, in any case. None where the table has no such row."""
    table = _by_alias()
    plain = name.strip()
    found = table.get(_folded(plain))
    return found or table.get(_folded(plain.rpartition(".")[2]))


def all_optimizers() -> tuple[Optimizer, ...]:
    return tuple(_read())


def suggest_optimizers(name: str, count: int = 3) -> tuple[str, ...]:
    """Names of the table close to a misspelt one, closest first."""
    return near(name, [alias for optimizer in _read() for alias in optimizer.aliases], count)


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9./]", "", name.lower())


@cache
def _by_alias() -> dict[str, Optimizer]:
    table: dict[str, Optimizer] = {}
    for optimizer in _read():
        for alias in (optimizer.name, *optimizer.aliases):
            table.setdefault(_folded(alias), optimizer)
    return table


@cache
def _read() -> tuple[Optimizer, ...]:
    return tuple(
        Optimizer(
            row["name"],
            number(row["fp32"]),
            number(row["16-bit"]),
            number(row["flat"]),
            tuple(row["tensors"].split()),
            row["place"],
            row["kind"],
            row["needs"],
            row["remark"],
            row["source"],
            tuple(row["aliases"].split()),
        )
        for row in rows("optimizers.tsv")
    )
