"""Optimizer parameter groups: DeepSpeed pads each of them on its own."""

from __future__ import annotations

from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.knobs import word
from shardlint.plan import Tensor

Group = tuple[Tensor, ...]

NO_MUON = ("embed", "lm_head")


def parameter_groups(setup: Setup) -> tuple[Group, ...]:
    """Trainable tensors by optimizer group.

    Muon: of every incoming group the matrices whose name has neither `embed` nor `lm_head`, largest shape
    first, then the rest (`engine.py:_muon_param_groups`, `original_muon.py:MuonWithAuxAdam`).
    `param_groups: decay`: matrices with weight decay, vectors without, as the Hugging Face Trainer makes.
    """
    moving = setup.elements.moving
    incoming = [moving]
    if word(setup.plan, "param_groups") == "decay":
        incoming = [
            tuple(t for t in moving if len(t.shape) > 1),
            tuple(t for t in moving if len(t.shape) < 2),
        ]
    if setup.muon:
        incoming = [half for group in incoming for half in _muon_halves(group)]
    return tuple(group for group in incoming if group)


def _muon_halves(group: Group) -> tuple[Group, Group]:
    matrices = sorted((t for t in group if by_muon(t)), key=lambda t: t.shape, reverse=True)
    return tuple(matrices), tuple(t for t in group if not by_muon(t))


def by_muon(tensor: Tensor) -> bool:
    return len(tensor.shape) > 1 and not any(part in tensor.name.lower() for part in NO_MUON)
