"""Parameter counts and tensor shapes from a config.json, without the framework that builds the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from shardlint.catalog.architectures.dims import Dims, UnknownDimension
from shardlint.catalog.architectures.layout import Layout, Part

FAMILIES = {
    "decoders": "llama mistral gemma gemma2 gemma3_text phi3 qwen2 qwen3 olmo olmo2 glm4 stablelm",
    "experts": "mixtral qwen3_moe qwen2_moe deepseek_v2 deepseek_v3 gpt_oss",
    "gpts": "gpt2 gpt_bigcode gptj gpt_neo gpt_neox opt phi bloom falcon",
    "encoders": "bert roberta distilbert vit t5",
}
"""Module -> the model types it builds, each by the function of that name."""

_MODULES = {kind: module for module, kinds in FAMILIES.items() for kind in kinds.split()}
KINDS = frozenset(_MODULES)
"""Every model_type that is counted."""

HEADS = {
    "bert": "ForMaskedLM",
    "roberta": "ForMaskedLM",
    "distilbert": "ForMaskedLM",
    "vit": "ForImageClassification",
    "t5": "ForConditionalGeneration",
}
"""The head the layout of an encoder includes; a decoder's is the language-model head."""


def count_parameters(config: Mapping[str, object]) -> Layout | None:
    """The tensors the class of this config.json builds; None for a class, head or dimension not known here.

    `Layout.total`, `.largest_block`, `.embedding`, `.largest_tensor` are counts in elements. Never raises.
    """
    kind = config.get("model_type")
    if not isinstance(kind, str) or kind not in KINDS or not _has_known_head(config, kind):
        return None
    try:
        return _builder(kind)(Dims(config))
    except (UnknownDimension, ZeroDivisionError):
        return None


def _builder(kind: str) -> Callable[[Dims], Layout]:
    module = import_module(f"{__name__}.{_MODULES[kind]}")
    return getattr(module, kind)


def _has_known_head(config: Mapping[str, object], kind: str) -> bool:
    named = config.get("architectures")
    first = named[0] if isinstance(named, list) and named else None  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(first, str):
        return True
    return first.endswith(HEADS.get(kind, ("ForCausalLM", "LMHeadModel")))


__all__ = ["KINDS", "Layout", "Part", "count_parameters"]
