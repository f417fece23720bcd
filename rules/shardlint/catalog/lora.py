"""Trainable parameters of low-rank adapters: r x (inputs + outputs) for each linear layer that gets one.

The rule and the names are those of peft (0.21): a target is the last part of a module's name, and
`all-linear` is every linear layer but the output head. Counted there for llama, qwen2 and their kin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from shardlint.catalog.architectures.layout import Layout

ALL_LINEAR = "all-linear"
_HEADS = frozenset({"lm_head", "embed_out", "classifier"})
_IN_EXPERTS = frozenset({ALL_LINEAR, "gate_proj", "up_proj", "down_proj", "gate_up_proj", "w1", "w2", "w3"})
_NOT_LINEAR = ("norm", "embed", "wte", "wpe", "shared", "word_embeddings", "ln_", "bias")

DEFAULT_TARGETS = {
    "llama": ("q_proj", "v_proj"),
    "mistral": ("q_proj", "v_proj"),
    "mixtral": ("q_proj", "v_proj"),
    "qwen2": ("q_proj", "v_proj"),
    "gemma": ("q_proj", "v_proj"),
    "gemma2": ("q_proj", "v_proj"),
    "qwen3": ("q_proj", "v_proj"),
    "gemma3_text": ("q_proj", "v_proj"),
    "stablelm": ("q_proj", "v_proj"),
    "gpt_bigcode": ("c_attn",),
    "phi": ("q_proj", "v_proj", "fc1", "fc2"),
    "opt": ("q_proj", "v_proj"),
    "gptj": ("q_proj", "v_proj"),
    "gpt_neo": ("q_proj", "v_proj"),
    "gpt_neox": ("query_key_value",),
    "bloom": ("query_key_value",),
    "falcon": ("query_key_value",),
    "gpt2": ("c_attn",),
    "t5": ("q", "v"),
    "bert": ("query", "value"),
    "roberta": ("query", "value"),
}
"""The modules peft adapts where a config names none."""


class _Linear(NamedTuple):
    module: str
    inputs: int
    outputs: int
    copies: int


def lora_parameters(layout: Layout, rank: int, targets: Iterable[str]) -> int | None:
    """Elements the adapters add, or None where a target is no linear layer of this model or is a fused
    tensor of experts, whose adapters differ between releases."""
    wanted = tuple(targets)
    if not wanted or (_fused_experts(layout) and not _IN_EXPERTS.isdisjoint(wanted)):
        return None
    linears = tuple(_linears(layout))
    if wanted == (ALL_LINEAR,):
        chosen = tuple(found for found in linears if found.module not in _HEADS)
    else:
        chosen = tuple(found for found in linears if any(_meant(word, found.module) for word in wanted))
        if not all(any(_meant(word, found.module) for found in chosen) for word in wanted):
            return None
    return sum(rank * (found.inputs + found.outputs) * found.copies for found in chosen)


def _meant(target: str, module: str) -> bool:
    return module == target or module.endswith(f".{target}")


def _linears(layout: Layout) -> Iterator[_Linear]:
    """Linear layers, by the module name inside their part."""
    for part in layout.parts:
        for name, shape in part.tensors:
            module = name.removesuffix(".weight")
            last = module.rpartition(".")[2]
            if name.endswith(".weight") and len(shape) == 2 and not any(word in last for word in _NOT_LINEAR):
                yield _Linear(module, shape[1], shape[0], part.copies)


def _fused_experts(layout: Layout) -> bool:
    return any(".experts." in name for part in layout.parts for name, _ in part.tensors)
