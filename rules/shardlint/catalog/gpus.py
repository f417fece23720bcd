"""GPUs by the names people use: memory as the framework sees it, and what the card can compute."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from shardlint.catalog.near import near
from shardlint.catalog.tables import number, rows, whole
from shardlint.report import GIB

_SIZE = r"(?i)(.+?)[-_ ](\d+) ?g(?:i?b)?\Z"
_BRANDS = r"nvidia|geforce|tesla|\d+x(?=[a-z])"

MAX_LENGTH = 100
"""Longer text is no card."""


class Gpu(NamedTuple):
    """A card. `memory` in bytes as PyTorch reports it (else as nvidia-smi does), None where not known.

    `capability` is the CUDA compute capability, None for other makers. `guessed` is true where the name
    fits cards of several sizes.
    """

    name: str
    memory: int | None
    capability: float | None
    bf16: bool
    fp8: bool
    marketing_gb: int
    source: str
    aliases: tuple[str, ...] = ()
    guessed: bool = False


def find_gpu(name: str) -> Gpu | None:
    """The card people call `name`: a row, an alias, or either with its size (`T4-16GB`), in any case.

    A size no row has gives the card without its memory.
    """
    if len(name) > MAX_LENGTH:
        return None
    table = _by_alias()
    found = table.get(_folded(name))
    if found is not None:
        return found
    sized = re.match(_SIZE, name.strip())
    base = table.get(_folded(sized.group(1))) if sized else None
    if sized is None or base is None:
        return None
    size = int(sized.group(2))
    if base.marketing_gb == size:
        return base._replace(guessed=False)
    return base._replace(name=name.strip(), memory=None, guessed=False)


def all_gpus() -> tuple[Gpu, ...]:
    return _read()


def suggest_gpus(name: str, count: int = 3) -> tuple[str, ...]:
    """Names of the table close to a misspelt one, closest first."""
    return near(name, [word for gpu in _read() for word in (gpu.name, *gpu.aliases)], count)


def _folded(name: str) -> str:
    return re.sub(_BRANDS, "", re.sub(r"[^a-z0-9]", "", name.lower()))


@cache
def _by_alias() -> dict[str, Gpu]:
    table: dict[str, Gpu] = {}
    for gpu in _read():
        for alias in (gpu.name, *gpu.aliases):
            guessed = alias.endswith("?")
            table.setdefault(_folded(alias), gpu._replace(guessed=True) if guessed else gpu)
    return table


@cache
def _read() -> tuple[Gpu, ...]:
    return tuple(_gpu(row) for row in rows("gpus.tsv"))


def _gpu(row: dict[str, str]) -> Gpu:
    seen, printed = number(row["torch_gib"]), whole(row["nvidia_smi_mib"])
    memory = int(seen * GIB) if seen else printed * 1024**2 if printed else None
    return Gpu(
        row["name"],
        memory,
        number(row["capability"]),
        row["bf16"] == "yes",
        row["fp8"] == "yes",
        int(row["marketing_gb"]),
        row["source"],
        tuple(row["aliases"].split()),
    )
