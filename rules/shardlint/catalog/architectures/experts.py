"""Decoders with experts. Score-correction terms are buffers and multi-token prediction is not built.

Shapes as transformers 5.24 builds them: the experts of a layer are two fused tensors.
"""

from __future__ import annotations

from shardlint.catalog.architectures.decoders import (
    TWO_NORMS,
    Sizes,
    all_layers,
    attention,
    decoder,
    gated,
    head_norms,
    sizes,
)
from shardlint.catalog.architectures.dims import Dims, UnknownDimension
from shardlint.catalog.architectures.layout import Layout, Part, Tensors, blocks, linear, rms_norms


def experts(size: Sizes, count: int, inner: int, router: str = "mlp.gate") -> Tensors:
    """A router and the fused weights of `count` gated experts."""
    return [
        *linear(router, count, size.hidden),
        ("mlp.experts.gate_up_proj", (count, 2 * inner, size.hidden)),
        ("mlp.experts.down_proj", (count, size.hidden, inner)),
    ]


def mixtral(dims: Dims) -> Layout:
    size = sizes(dims, kv_default=8)
    layer = all_layers(
        size,
        attention(size),
        experts(size, dims.size("num_local_experts", default=8), size.inner),
        rms_norms(size.hidden, *TWO_NORMS),
    )
    return decoder(size, dims.flag("tie_word_embeddings", False), layer)


def qwen3_moe(dims: Dims) -> Layout:
    size = sizes(dims)
    bias = dims.flag("attention_bias", False)
    shared = [attention(size, bias, bias), head_norms(size), rms_norms(size.hidden, *TWO_NORMS)]
    sparse = experts(size, dims.size("num_experts", "num_local_experts"), dims.size("moe_intermediate_size"))
    return _mixed(dims, size, shared, sparse)


def qwen2_moe(dims: Dims) -> Layout:
    size = sizes(dims)
    shared = [attention(size, bias=dims.flag("qkv_bias", True)), rms_norms(size.hidden, *TWO_NORMS)]
    sparse = [
        *experts(size, dims.size("num_experts"), dims.size("moe_intermediate_size")),
        *gated(size, "mlp.shared_expert", dims.size("shared_expert_intermediate_size")),
        *linear("mlp.shared_expert_gate", 1, size.hidden),
    ]
    return _mixed(dims, size, shared, sparse)


def _mixed(dims: Dims, size: Sizes, shared: list[Tensors], sparse: Tensors) -> Layout:
    """Layers with experts, and plain ones where the config says so."""
    step, plain = dims.size("decoder_sparse_step", default=1), dims.numbers("mlp_only_layers")
    parts: list[Part] = []
    for at in range(size.layers):
        has_experts = at not in plain and (at + 1) % step == 0
        feed = sparse if has_experts else gated(size)
        parts.append(blocks("model.layers", range(at, at + 1), *shared, feed))
    return decoder(size, dims.flag("tie_word_embeddings", False), *_merged(parts))


def _merged(parts: list[Part]) -> list[Part]:
    """Neighbours with the same tensors as one part."""
    merged: list[Part] = []
    for part in parts:
        last = merged[-1] if merged else None
        if last and part.indices and last.indices and last.tensors == part.tensors:
            merged[-1] = last._replace(indices=range(last.indices.start, part.indices.stop))
        else:
            merged.append(part)
    return merged


def deepseek_v3(dims: Dims) -> Layout:
    """DeepSeek-V3 and V2: latent attention, `first_k_dense_replace` plain layers, shared experts."""
    if dims.size("moe_layer_freq", default=1) != 1:
        raise UnknownDimension("moe_layer_freq")
    size = sizes(dims, head_default=1)
    count, inner = dims.size("n_routed_experts"), dims.size("moe_intermediate_size")
    common = [_latent_attention(dims, size.hidden), rms_norms(size.hidden, *TWO_NORMS)]
    shared_width = dims.count("n_shared_experts", 0) * inner
    shared = gated(size, "mlp.shared_experts", shared_width) if shared_width else []
    dense = min(dims.count("first_k_dense_replace", 0), size.layers)
    layers = (
        blocks("model.layers", range(dense), *common, gated(size)),
        blocks("model.layers", range(dense, size.layers), *common, experts(size, count, inner), shared),
    )
    kept = (part for part in layers if part.copies)
    return decoder(size, dims.flag("tie_word_embeddings", False), *kept)


deepseek_v2 = deepseek_v3


def _latent_attention(dims: Dims, hidden: int) -> Tensors:
    heads = dims.size("num_attention_heads")
    rope, nope = dims.size("qk_rope_head_dim"), dims.size("qk_nope_head_dim")
    value, latent = dims.size("v_head_dim"), dims.size("kv_lora_rank")
    rank = dims.optional("q_lora_rank")
    bias = dims.flag("attention_bias", False)
    if rank is None:
        query = linear("self_attn.q_proj", heads * (nope + rope), hidden)
    else:
        query = [
            *linear("self_attn.q_a_proj", rank, hidden, bias),
            *rms_norms(rank, "self_attn.q_a_layernorm"),
            *linear("self_attn.q_b_proj", heads * (nope + rope), rank),
        ]
    return [
        *query,
        *linear("self_attn.kv_a_proj_with_mqa", latent + rope, hidden, bias),
        *rms_norms(latent, "self_attn.kv_a_layernorm"),
        *linear("self_attn.kv_b_proj", heads * (nope + value), latent),
        *linear("self_attn.o_proj", hidden, heads * value, bias),
    ]


def gpt_oss(dims: Dims) -> Layout:
    size = sizes(dims, head_default=64, kv_default=8)
    count = dims.size("num_local_experts", "num_experts")
    bias = dims.flag("attention_bias", True)
    feed: Tensors = [
        *linear("mlp.router", count, size.hidden, bias=True),
        ("mlp.experts.gate_up_proj", (count, size.hidden, 2 * size.inner)),
        ("mlp.experts.gate_up_proj_bias", (count, 2 * size.inner)),
        ("mlp.experts.down_proj", (count, size.inner, size.hidden)),
        ("mlp.experts.down_proj_bias", (count, size.hidden)),
    ]
    sinks: Tensors = [("self_attn.sinks", (dims.size("num_attention_heads"),))]
    layer = all_layers(size, sinks, attention(size, bias, bias), feed, rms_norms(size.hidden, *TWO_NORMS))
    return decoder(size, dims.flag("tie_word_embeddings", False), layer)
