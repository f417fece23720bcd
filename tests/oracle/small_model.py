"""The model of the oracle tests: odd sizes, so that every kind of padding shows."""

from __future__ import annotations

import torch
from torch import nn

WORDS, WIDTH, BLOCKS = 37, 13, 2


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.up = nn.Linear(WIDTH, 3 * WIDTH)
        self.down = nn.Linear(3 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.down(torch.relu(self.up(self.norm(x))))


class SmallModel(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, WIDTH)
        self.layers = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.head = nn.Linear(WIDTH, WORDS)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x)
        return nn.functional.cross_entropy(self.head(x).float().view(-1, WORDS), tokens.view(-1))


def shapes() -> list[tuple[str, tuple[int, ...]]]:
    """(name, shape) of every parameter, in order."""
    with torch.device("meta"):
        return [(name, tuple(p.shape)) for name, p in SmallModel().named_parameters()]


def batch(rank: int) -> torch.Tensor:
    return torch.randint(0, WORDS, (2, 7), generator=torch.Generator().manual_seed(rank))


class Counter:
    """Bytes of tensors, each storage counted once, under the first term that reaches it."""

    def __init__(self) -> None:
        self.terms: dict[str, int] = {}
        self._seen: set[int] = set()

    def add(self, term: str, tensors: object) -> None:
        for tensor in _tensors(tensors):
            storage = tensor.untyped_storage()
            if storage.nbytes() and storage.data_ptr() not in self._seen:
                self._seen.add(storage.data_ptr())
                self.terms[term] = self.terms.get(term, 0) + storage.nbytes()


def _tensors(found: object) -> list[torch.Tensor]:
    if isinstance(found, torch.Tensor):
        return [getattr(found, "_local_tensor", found)]
    if isinstance(found, dict):
        return [tensor for value in found.values() for tensor in _tensors(value)]
    if isinstance(found, list | tuple):
        return [tensor for value in found for tensor in _tensors(value)]
    return []
