"""Parameter counts and tensor shapes from a config.json, without the framework that builds the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shardlint.catalog.architectures import decoders, encoders, experts, gpts
from shardlint.catalog.architectures.dims import Dims, UnknownDimension
from shardlint.catalog.architectures.layout import Layout, Part

FAMILIES: dict[str, Callable[[Dims], Layout]] = {
    "llama": decoders.llama,
    "mistral": decoders.mistral,
    "gemma": decoders.gemma,
    "gemma2": decoders.gemma2,
    "gemma3_text": decoders.gemma3_text,
    "phi3": decoders.phi3,
    "qwen2": decoders.qwen2,
    "qwen3": decoders.qwen3,
    "olmo": decoders.olmo,
    "olmo2": decoders.olmo2,
    "glm4": decoders.glm4,
    "stablelm": decoders.stablelm,
    "mixtral": experts.mixtral,
    "qwen3_moe": experts.qwen3_moe,
    "qwen2_moe": experts.qwen2_moe,
    "deepseek_v2": experts.deepseek,
    "deepseek_v3": experts.deepseek,
    "gpt_oss": experts.gpt_oss,
    "gpt2": gpts.gpt2,
    "gpt_bigcode": gpts.gpt_bigcode,
    "gptj": gpts.gptj,
    "gpt_neo": gpts.gpt_neo,
    "gpt_neox": gpts.gpt_neox,
    "opt": gpts.opt,
    "phi": gpts.phi,
    "bloom": gpts.bloom,
    "falcon": gpts.falcon,
    "bert": encoders.bert,
    "roberta": encoders.roberta,
    "distilbert": encoders.distilbert,
    "vit": encoders.vit,
    "t5": encoders.t5,
}
"""model_type -> what its class builds."""

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
    build = FAMILIES.get(kind) if isinstance(kind, str) else None
    if build is None or not isinstance(kind, str) or not _has_known_head(config, kind):
        return None
    try:
        return build(Dims(config))
    except (UnknownDimension, ZeroDivisionError):
        return None


def _has_known_head(config: Mapping[str, object], kind: str) -> bool:
    named = config.get("architectures")
    first = named[0] if isinstance(named, list) and named else None  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(first, str):
        return True
    return first.endswith(HEADS.get(kind, ("ForCausalLM", "LMHeadModel")))


__all__ = ["FAMILIES", "Layout", "Part", "count_parameters"]
