"""Decoders of the GPT kind: layer norms with bias, plain feed-forward, learned or no positions.

Shapes as transformers 5.24 builds them in `models/<type>/modeling_<type>.py`; counted on the meta device.
"""

from __future__ import annotations

from shardlint.catalog.architectures.dims import Dims, UnknownDimension
from shardlint.catalog.architectures.layout import (
    Layout,
    Tensors,
    blocks,
    layer_norms,
    linear,
    once,
    table,
)


def transposed(name: str, outputs: int, inputs: int) -> Tensors:
    """GPT-2's Conv1D: the weight is (inputs, outputs)."""
    return [(f"{name}.weight", (inputs, outputs)), (f"{name}.bias", (outputs,))]


def _head(dims: Dims, tied: bool, vocab: int, width: int, name: str = "lm_head") -> Tensors:
    return [] if dims.flag("tie_word_embeddings", tied) else linear(name, vocab, width)


def gpt2(dims: Dims) -> Layout:
    h, vocab = dims.size("n_embd", "hidden_size"), dims.size("vocab_size")
    inner = dims.size("n_inner", default=4 * h)
    layer = blocks(
        "transformer.h",
        range(dims.layers("n_layer", "num_hidden_layers")),
        layer_norms(h, "ln_1", "ln_2"),
        transposed("attn.c_attn", 3 * h, h),
        transposed("attn.c_proj", h, h),
        transposed("mlp.c_fc", inner, h),
        transposed("mlp.c_proj", h, inner),
    )
    positions = table("wpe", dims.size("n_positions", "n_ctx", "max_position_embeddings"), h)
    return Layout(
        (
            once("transformer.", table("wte", vocab, h), positions),
            layer,
            once("", layer_norms(h, "transformer.ln_f"), _head(dims, True, vocab, h)),
        ),
        vocab * h,
    )


def gpt_bigcode(dims: Dims) -> Layout:
    h, heads, vocab = dims.size("n_embd"), dims.size("n_head"), dims.size("vocab_size")
    keys = h // heads if dims.flag("multi_query", True) else h
    inner = dims.size("n_inner", default=4 * h)
    layer = blocks(
        "transformer.h",
        range(dims.layers("n_layer")),
        layer_norms(h, "ln_1", "ln_2"),
        linear("attn.c_attn", h + 2 * keys, h, bias=True),
        linear("attn.c_proj", h, h, bias=True),
        linear("mlp.c_fc", inner, h, bias=True),
        linear("mlp.c_proj", h, inner, bias=True),
    )
    return Layout(
        (
            once("transformer.", table("wte", vocab, h), table("wpe", dims.size("n_positions"), h)),
            layer,
            once("", layer_norms(h, "transformer.ln_f"), _head(dims, True, vocab, h)),
        ),
        vocab * h,
    )


def gptj(dims: Dims) -> Layout:
    h, vocab = dims.size("n_embd", "hidden_size"), dims.size("vocab_size")
    inner = dims.size("n_inner", default=4 * h)
    layer = blocks(
        "transformer.h",
        range(dims.layers("n_layer", "num_hidden_layers")),
        layer_norms(h, "ln_1"),
        *(linear(f"attn.{name}", h, h) for name in ("k_proj", "v_proj", "q_proj", "out_proj")),
        linear("mlp.fc_in", inner, h, bias=True),
        linear("mlp.fc_out", h, inner, bias=True),
    )
    tail = once("", layer_norms(h, "transformer.ln_f"), linear("lm_head", vocab, h, bias=True))
    return Layout((once("transformer.", table("wte", vocab, h)), layer, tail), vocab * h)


def gpt_neo(dims: Dims) -> Layout:
    h, vocab = dims.size("hidden_size"), dims.size("vocab_size")
    inner = dims.size("intermediate_size", default=4 * h)
    layer = blocks(
        "transformer.h",
        range(dims.layers("num_layers", "num_hidden_layers")),
        layer_norms(h, "ln_1", "ln_2"),
        *(linear(f"attn.attention.{name}", h, h) for name in ("k_proj", "v_proj", "q_proj")),
        linear("attn.attention.out_proj", h, h, bias=True),
        linear("mlp.c_fc", inner, h, bias=True),
        linear("mlp.c_proj", h, inner, bias=True),
    )
    positions = table("wpe", dims.size("max_position_embeddings"), h)
    return Layout(
        (
            once("transformer.", table("wte", vocab, h), positions),
            layer,
            once("", layer_norms(h, "transformer.ln_f"), _head(dims, True, vocab, h)),
        ),
        vocab * h,
    )


def gpt_neox(dims: Dims) -> Layout:
    h, inner, vocab = dims.size("hidden_size"), dims.size("intermediate_size"), dims.size("vocab_size")
    bias = dims.flag("attention_bias", True)
    layer = blocks(
        "gpt_neox.layers",
        range(dims.layers("num_hidden_layers")),
        layer_norms(h, "input_layernorm", "post_attention_layernorm"),
        linear("attention.query_key_value", 3 * h, h, bias),
        linear("attention.dense", h, h, bias),
        linear("mlp.dense_h_to_4h", inner, h, bias=True),
        linear("mlp.dense_4h_to_h", h, inner, bias=True),
    )
    head = _head(dims, False, vocab, h, "embed_out")
    return Layout(
        (
            once("gpt_neox.", table("embed_in", vocab, h)),
            layer,
            once("", layer_norms(h, "gpt_neox.final_layer_norm"), head),
        ),
        vocab * h,
    )


def opt(dims: Dims) -> Layout:
    h, inner, vocab = dims.size("hidden_size"), dims.size("ffn_dim"), dims.size("vocab_size")
    if dims.size("word_embed_proj_dim", default=h) != h or not dims.flag("do_layer_norm_before", True):
        raise UnknownDimension("word_embed_proj_dim")
    bias = dims.flag("enable_bias", True)
    prefix = "model.decoder"
    layer = blocks(
        f"{prefix}.layers",
        range(dims.layers("num_hidden_layers")),
        *(linear(f"self_attn.{name}", h, h, bias) for name in ("k_proj", "v_proj", "q_proj", "out_proj")),
        layer_norms(h, "self_attn_layer_norm", "final_layer_norm"),
        linear("fc1", inner, h, bias),
        linear("fc2", h, inner, bias),
    )
    positions = table("embed_positions", dims.size("max_position_embeddings") + 2, h)
    norm = layer_norms(h, f"{prefix}.final_layer_norm")
    return Layout(
        (
            once(f"{prefix}.", table("embed_tokens", vocab, h), positions),
            layer,
            once("", norm, _head(dims, True, vocab, h)),
        ),
        vocab * h,
    )


def phi(dims: Dims) -> Layout:
    h, inner, vocab = dims.size("hidden_size"), dims.size("intermediate_size"), dims.size("vocab_size")
    heads = dims.size("num_attention_heads")
    if dims.flag("qk_layernorm", False):
        raise UnknownDimension("qk_layernorm")
    keys = dims.size("num_key_value_heads", default=heads) * (h // heads)
    layer = blocks(
        "model.layers",
        range(dims.layers("num_hidden_layers")),
        linear("self_attn.q_proj", h, h, bias=True),
        linear("self_attn.k_proj", keys, h, bias=True),
        linear("self_attn.v_proj", keys, h, bias=True),
        linear("self_attn.dense", h, h, bias=True),
        linear("mlp.fc1", inner, h, bias=True),
        linear("mlp.fc2", h, inner, bias=True),
        layer_norms(h, "input_layernorm"),
    )
    tail = once("", layer_norms(h, "model.final_layernorm"), linear("lm_head", vocab, h, bias=True))
    return Layout((once("model.", table("embed_tokens", vocab, h)), layer, tail), vocab * h)


def bloom(dims: Dims) -> Layout:
    h, vocab = dims.size("hidden_size", "n_embed"), dims.size("vocab_size")
    layer = blocks(
        "transformer.h",
        range(dims.layers("n_layer", "num_hidden_layers")),
        layer_norms(h, "input_layernorm", "post_attention_layernorm"),
        linear("self_attention.query_key_value", 3 * h, h, bias=True),
        linear("self_attention.dense", h, h, bias=True),
        linear("mlp.dense_h_to_4h", 4 * h, h, bias=True),
        linear("mlp.dense_4h_to_h", h, 4 * h, bias=True),
    )
    start = once(
        "transformer.", table("word_embeddings", vocab, h), layer_norms(h, "word_embeddings_layernorm")
    )
    tail = once("", layer_norms(h, "transformer.ln_f"), _head(dims, True, vocab, h))
    return Layout((start, layer, tail), vocab * h)


def falcon(dims: Dims) -> Layout:
    """Falcon: one key head (7b), groups of them (40b, `new_decoder_architecture`) or all of them (rw)."""
    h, vocab = dims.size("hidden_size", "n_embed"), dims.size("vocab_size")
    inner = dims.size("ffn_hidden_size", default=4 * h)
    bias = dims.flag("bias", False)
    layer = blocks(
        "transformer.h",
        range(dims.layers("num_hidden_layers", "n_layer")),
        linear("self_attention.query_key_value", _falcon_width(dims, h), h, bias),
        linear("self_attention.dense", h, h, bias),
        linear("mlp.dense_h_to_4h", inner, h, bias),
        linear("mlp.dense_4h_to_h", h, inner, bias),
        layer_norms(h, *_falcon_norms(dims)),
    )
    tail = once("", layer_norms(h, "transformer.ln_f"), _head(dims, True, vocab, h))
    return Layout((once("transformer.", table("word_embeddings", vocab, h)), layer, tail), vocab * h)


def _falcon_width(dims: Dims, h: int) -> int:
    heads = dims.size("num_attention_heads", "n_head")
    head = h // heads
    if dims.flag("new_decoder_architecture", False):
        return h + 2 * dims.size("num_kv_heads", "n_head_kv", default=heads) * head
    return h + 2 * head if dims.flag("multi_query", True) else 3 * h


def _falcon_norms(dims: Dims) -> tuple[str, ...]:
    if dims.flag("new_decoder_architecture", False):
        two = dims.size("num_ln_in_parallel_attn", default=2) == 2
        return ("ln_attn", "ln_mlp") if two else ("input_layernorm",)
    parallel = dims.flag("parallel_attn", True)
    return ("input_layernorm",) if parallel else ("input_layernorm", "post_attention_layernorm")
