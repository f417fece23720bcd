"""Decoders of the llama kind: gated feed-forward, RMS norms, grouped heads.

Shapes as transformers 5.24 builds them in `models/<type>/modeling_<type>.py`; counted on the meta device.
"""

from __future__ import annotations

from typing import NamedTuple

from shardlint.catalog.architectures.dims import Dims
from shardlint.catalog.architectures.layout import (
    Layout,
    Part,
    Tensors,
    blocks,
    layer_norms,
    linear,
    once,
    rms_norms,
    table,
)

TWO_NORMS = ("input_layernorm", "post_attention_layernorm")
GEMMA_NORMS = (*TWO_NORMS, "pre_feedforward_layernorm", "post_feedforward_layernorm")


class Sizes(NamedTuple):
    """Width, feed-forward width, layers, vocabulary, and the widths of queries and of keys."""

    hidden: int
    inner: int
    layers: int
    vocab: int
    queries: int
    keys: int
    head: int


def sizes(dims: Dims, head_default: int | None = None, kv_default: int | None = None) -> Sizes:
    """The sizes of a decoder; the defaults are those of its config class."""
    hidden, heads = dims.size("hidden_size"), dims.size("num_attention_heads")
    head = dims.size("head_dim", default=head_default or hidden // heads)
    groups = dims.size("num_key_value_heads", default=kv_default or heads)
    return Sizes(
        hidden,
        dims.size("intermediate_size"),
        dims.layers("num_hidden_layers"),
        dims.size("vocab_size"),
        heads * head,
        groups * head,
        head,
    )


def attention(size: Sizes, bias: bool = False, out_bias: bool = False) -> Tensors:
    return [
        *linear("self_attn.q_proj", size.queries, size.hidden, bias),
        *linear("self_attn.k_proj", size.keys, size.hidden, bias),
        *linear("self_attn.v_proj", size.keys, size.hidden, bias),
        *linear("self_attn.o_proj", size.hidden, size.queries, out_bias),
    ]


def gated(size: Sizes, name: str = "mlp", inner: int | None = None, bias: bool = False) -> Tensors:
    width = inner or size.inner
    return [
        *linear(f"{name}.gate_proj", width, size.hidden, bias),
        *linear(f"{name}.up_proj", width, size.hidden, bias),
        *linear(f"{name}.down_proj", size.hidden, width, bias),
    ]


def fused_gated(size: Sizes) -> Tensors:
    return [
        *linear("mlp.gate_up_proj", 2 * size.inner, size.hidden),
        *linear("mlp.down_proj", size.hidden, size.inner),
    ]


def head_norms(size: Sizes) -> Tensors:
    """Norms of single query and key heads."""
    return rms_norms(size.head, "self_attn.q_norm", "self_attn.k_norm")


def decoder(size: Sizes, tied: bool, *layers: Part, final: Tensors | None = None) -> Layout:
    """Embedding, layers, final norm and, unless it is tied, the output head."""
    norm = rms_norms(size.hidden, "model.norm") if final is None else final
    head = [] if tied else linear("lm_head", size.vocab, size.hidden)
    embedding = table("model.embed_tokens", size.vocab, size.hidden)
    return Layout((once("", embedding), *layers, once("", norm, head)), size.vocab * size.hidden)


def all_layers(size: Sizes, *groups: Tensors) -> Part:
    return blocks("model.layers", range(size.layers), *groups)


def llama(dims: Dims) -> Layout:
    size = sizes(dims)
    bias = dims.flag("attention_bias", False)
    layer = all_layers(
        size,
        attention(size, bias, bias),
        gated(size, bias=dims.flag("mlp_bias", False)),
        rms_norms(size.hidden, *TWO_NORMS),
    )
    return decoder(size, dims.flag("tie_word_embeddings", False), layer)


def mistral(dims: Dims) -> Layout:
    size = sizes(dims, kv_default=8)
    layer = all_layers(size, attention(size), gated(size), rms_norms(size.hidden, *TWO_NORMS))
    return decoder(size, dims.flag("tie_word_embeddings", False), layer)


def gemma(dims: Dims) -> Layout:
    size = sizes(dims, head_default=256)
    bias = dims.flag("attention_bias", False)
    layer = all_layers(size, attention(size, bias, bias), gated(size), rms_norms(size.hidden, *TWO_NORMS))
    return decoder(size, dims.flag("tie_word_embeddings", True), layer)


def gemma2(dims: Dims) -> Layout:
    size = sizes(dims, head_default=256)
    bias = dims.flag("attention_bias", False)
    layer = all_layers(size, attention(size, bias, bias), gated(size), rms_norms(size.hidden, *GEMMA_NORMS))
    return decoder(size, dims.flag("tie_word_embeddings", True), layer)


def gemma3_text(dims: Dims) -> Layout:
    size = sizes(dims, head_default=256)
    bias = dims.flag("attention_bias", False)
    layer = all_layers(
        size,
        attention(size, bias, bias),
        head_norms(size),
        gated(size),
        rms_norms(size.hidden, *GEMMA_NORMS),
    )
    return decoder(size, dims.flag("tie_word_embeddings", True), layer)


def phi3(dims: Dims) -> Layout:
    size = sizes(dims)
    fused = [
        *linear("self_attn.o_proj", size.hidden, size.queries),
        *linear("self_attn.qkv_proj", size.queries + 2 * size.keys, size.hidden),
    ]
    layer = all_layers(size, fused, fused_gated(size), rms_norms(size.hidden, *TWO_NORMS))
    return decoder(size, dims.flag("tie_word_embeddings", False), layer)


def qwen2(dims: Dims) -> Layout:
    size = sizes(dims)
    layer = all_layers(size, attention(size, bias=True), gated(size), rms_norms(size.hidden, *TWO_NORMS))
    return decoder(size, dims.flag("tie_word_embeddings", False), layer)


def qwen3(dims: Dims) -> Layout:
    size = sizes(dims, head_default=128)
    bias = dims.flag("attention_bias", False)
    layer = all_layers(
        size, attention(size, bias, bias), head_norms(size), gated(size), rms_norms(size.hidden, *TWO_NORMS)
    )
    return decoder(size, dims.flag("tie_word_embeddings", False), layer)


def olmo(dims: Dims) -> Layout:
    size = sizes(dims)
    bias = dims.flag("attention_bias", False)
    layer = all_layers(size, attention(size, bias, bias), gated(size))
    return decoder(size, dims.flag("tie_word_embeddings", False), layer, final=[])


def olmo2(dims: Dims) -> Layout:
    size = sizes(dims)
    bias = dims.flag("attention_bias", False)
    norms = [
        *rms_norms(size.queries, "self_attn.q_norm"),
        *rms_norms(size.keys, "self_attn.k_norm"),
        *rms_norms(size.hidden, "post_attention_layernorm", "post_feedforward_layernorm"),
    ]
    layer = all_layers(size, attention(size, bias, bias), gated(size), norms)
    return decoder(size, dims.flag("tie_word_embeddings", False), layer)


def glm4(dims: Dims) -> Layout:
    size = sizes(dims, head_default=128)
    names = (*TWO_NORMS, "post_self_attn_layernorm", "post_mlp_layernorm")
    layer = all_layers(
        size,
        attention(size, dims.flag("attention_bias", False)),
        fused_gated(size),
        rms_norms(size.hidden, *names),
    )
    return decoder(size, dims.flag("tie_word_embeddings", False), layer)


def stablelm(dims: Dims) -> Layout:
    size = sizes(dims)
    norms = TWO_NORMS[:1] if dims.flag("use_parallel_residual", False) else TWO_NORMS
    layer = all_layers(
        size,
        attention(size, dims.flag("use_qkv_bias", False)),
        gated(size),
        layer_norms(size.hidden, *norms),
        _stablelm_head_norms(dims, size),
    )
    final = layer_norms(size.hidden, "model.norm")
    return decoder(size, dims.flag("tie_word_embeddings", False), layer, final=final)


def _stablelm_head_norms(dims: Dims, size: Sizes) -> Tensors:
    if not dims.flag("qk_layernorm", False):
        return []
    found: Tensors = []
    for name, width in (("q_layernorm", size.queries), ("k_layernorm", size.keys)):
        found += [(f"self_attn.{name}.norms.{at}.weight", (size.head,)) for at in range(width // size.head)]
    return found
