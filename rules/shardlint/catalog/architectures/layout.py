"""The parameter tensors of a model, as the parts a class is built of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import NamedTuple, TypeAlias

from shardlint.plan import Tensor

Shape: TypeAlias = "tuple[int, ...]"
Tensors: TypeAlias = "list[tuple[str, Shape]]"


class Part(NamedTuple):
    """Tensors that stand once (`indices` is None) or in every block `prefix.i` of a range."""

    prefix: str
    tensors: tuple[tuple[str, Shape], ...]
    indices: range | None = None

    @property
    def numel(self) -> int:
        """Elements of one copy."""
        return sum(prod(shape) for _, shape in self.tensors)

    @property
    def copies(self) -> int:
        return 1 if self.indices is None else len(self.indices)


class Layout(NamedTuple):
    """What a model class builds from a config: parameters once where they are tied, buffers left out.

    `embedding` is the elements of the input embedding (0 for a model without one).
    """

    parts: tuple[Part, ...]
    embedding: int

    @property
    def total(self) -> int:
        """All parameters, in elements."""
        return sum(part.numel * part.copies for part in self.parts)

    @property
    def largest_block(self) -> int:
        """Elements of the biggest repeated block: the unit ZeRO-3 and FSDP gather."""
        return max((part.numel for part in self.parts if part.indices is not None), default=0)

    @property
    def tensor_count(self) -> int:
        return sum(len(part.tensors) * part.copies for part in self.parts)

    @property
    def largest_tensor(self) -> tuple[str, int]:
        """Name and elements of the biggest single tensor, the first of equals."""
        named = ((_name(part, 0, name), prod(shape)) for part in self.parts for name, shape in part.tensors)
        return max(named, key=lambda item: item[1], default=("", 0))

    def tensors(self) -> Iterator[Tensor]:
        """Every tensor by its name in the model, block by block."""
        for part in self.parts:
            for at in range(part.copies):
                for name, shape in part.tensors:
                    yield Tensor(_name(part, at, name), shape)


def _name(part: Part, at: int, name: str) -> str:
    if part.indices is None:
        return f"{part.prefix}{name}"
    return f"{part.prefix}{part.indices[at]}.{name}"


def once(prefix: str, *groups: Tensors) -> Part:
    return Part(prefix, tuple(_joined(groups)))


def blocks(prefix: str, indices: range, *groups: Tensors) -> Part:
    return Part(f"{prefix}.", tuple(_joined(groups)), indices)


def _joined(groups: Iterable[Tensors]) -> Iterator[tuple[str, Shape]]:
    for group in groups:
        yield from group


def linear(name: str, outputs: int, inputs: int, bias: bool = False) -> Tensors:
    """A linear layer: weight (outputs, inputs) and, with `bias`, one element an output."""
    weight: Tensors = [(f"{name}.weight", (outputs, inputs))]
    return [*weight, (f"{name}.bias", (outputs,))] if bias else weight


def table(name: str, rows: int, width: int) -> Tensors:
    """An embedding."""
    return [(f"{name}.weight", (rows, width))]


def rms_norms(width: int, *names: str) -> Tensors:
    """Norms with a weight and no bias."""
    return [(f"{name}.weight", (width,)) for name in names]


def layer_norms(width: int, *names: str) -> Tensors:
    """Norms with weight and bias."""
    return [(f"{name}.{part}", (width,)) for name in names for part in ("weight", "bias")]
