"""Encoders and encoder-decoders: bert, roberta, distilbert, vit, t5.

Shapes as transformers 5.24 builds them in `models/<type>/modeling_<type>.py`; counted on the meta device.
"""

from __future__ import annotations

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


def _bert_layer(prefix: str, count: int, h: int, inner: int) -> Part:
    attention = "attention.self"
    return blocks(
        prefix,
        range(count),
        *(linear(f"{attention}.{name}", h, h, bias=True) for name in ("query", "key", "value")),
        linear("attention.output.dense", h, h, bias=True),
        layer_norms(h, "attention.output.LayerNorm"),
        linear("intermediate.dense", inner, h, bias=True),
        linear("output.dense", h, inner, bias=True),
        layer_norms(h, "output.LayerNorm"),
    )


def _bert_embeddings(dims: Dims, h: int, types: int) -> list[Tensors]:
    return [
        table("word_embeddings", dims.size("vocab_size"), h),
        table("position_embeddings", dims.size("max_position_embeddings", default=512), h),
        table("token_type_embeddings", dims.size("type_vocab_size", default=types), h),
        layer_norms(h, "LayerNorm"),
    ]


def bert(dims: Dims) -> Layout:
    """With the masked-language-model head."""
    h, vocab = dims.size("hidden_size"), dims.size("vocab_size")
    head: Tensors = [
        ("cls.predictions.bias", (vocab,)),
        *linear("cls.predictions.transform.dense", h, h, bias=True),
        *layer_norms(h, "cls.predictions.transform.LayerNorm"),
    ]
    layer = _bert_layer(
        "bert.encoder.layer", dims.layers("num_hidden_layers"), h, dims.size("intermediate_size")
    )
    start = once("bert.embeddings.", *_bert_embeddings(dims, h, 2))
    return Layout((start, layer, once("", head)), vocab * h)


def roberta(dims: Dims) -> Layout:
    """With the masked-language-model head."""
    h, vocab = dims.size("hidden_size"), dims.size("vocab_size")
    head: Tensors = [
        ("lm_head.bias", (vocab,)),
        *linear("lm_head.dense", h, h, bias=True),
        *layer_norms(h, "lm_head.layer_norm"),
    ]
    layer = _bert_layer(
        "roberta.encoder.layer", dims.layers("num_hidden_layers"), h, dims.size("intermediate_size")
    )
    start = once("roberta.embeddings.", *_bert_embeddings(dims, h, 2))
    return Layout((start, layer, once("", head)), vocab * h)


def distilbert(dims: Dims) -> Layout:
    """With the masked-language-model head."""
    h, inner, vocab = dims.size("dim"), dims.size("hidden_dim"), dims.size("vocab_size")
    layer = blocks(
        "distilbert.transformer.layer",
        range(dims.layers("n_layers")),
        *(linear(f"attention.{name}", h, h, bias=True) for name in ("q_lin", "k_lin", "v_lin", "out_lin")),
        layer_norms(h, "sa_layer_norm", "output_layer_norm"),
        linear("ffn.lin1", inner, h, bias=True),
        linear("ffn.lin2", h, inner, bias=True),
    )
    head: Tensors = [
        *linear("vocab_transform", h, h, bias=True),
        *layer_norms(h, "vocab_layer_norm"),
        ("vocab_projector.bias", (vocab,)),
    ]
    start = once(
        "distilbert.embeddings.",
        table("word_embeddings", vocab, h),
        table("position_embeddings", dims.size("max_position_embeddings", default=512), h),
        layer_norms(h, "LayerNorm"),
    )
    return Layout((start, layer, once("", head)), vocab * h)


def vit(dims: Dims) -> Layout:
    """With the classifier; 1000 labels unless the config counts them."""
    h, inner = dims.size("hidden_size"), dims.size("intermediate_size")
    side, patch = dims.size("image_size", default=224), dims.size("patch_size", default=16)
    channels, labels = dims.size("num_channels", default=3), dims.size("num_labels", default=1000)
    start: Tensors = [
        ("cls_token", (1, 1, h)),
        ("position_embeddings", (1, (side // patch) ** 2 + 1, h)),
        ("patch_embeddings.projection.weight", (h, channels, patch, patch)),
        ("patch_embeddings.projection.bias", (h,)),
    ]
    layer = blocks(
        "vit.layers",
        range(dims.layers("num_hidden_layers")),
        *(
            linear(f"attention.{name}", h, h, dims.flag("qkv_bias", True))
            for name in ("q_proj", "k_proj", "v_proj")
        ),
        linear("attention.o_proj", h, h, bias=True),
        linear("mlp.fc1", inner, h, bias=True),
        linear("mlp.fc2", h, inner, bias=True),
        layer_norms(h, "layernorm_before", "layernorm_after"),
    )
    tail = once("", layer_norms(h, "vit.layernorm"), linear("classifier", labels, h, bias=True))
    return Layout((once("vit.embeddings.", start), layer, tail), 0)


class _T5:
    """T5 of both versions: v1.0 has a plain feed-forward, v1.1 a gated one."""

    def __init__(self, dims: Dims) -> None:
        self.h, self.inner = dims.size("d_model"), dims.size("d_ff")
        self.heads = dims.size("num_heads")
        self.width = self.heads * dims.size("d_kv", default=64)
        self.buckets = dims.size("relative_attention_num_buckets", default=32)
        self.gated = dims.text("feed_forward_proj", "relu").startswith("gated")
        self.encoder = dims.layers("num_layers")
        self.decoder = dims.layers("num_decoder_layers", default=self.encoder)

    def attention(self, at: int, name: str) -> Tensors:
        path = f"layer.{at}.{name}"
        return [
            *(item for part in "qkv" for item in linear(f"{path}.{part}", self.width, self.h)),
            *linear(f"{path}.o", self.h, self.width),
            *rms_norms(self.h, f"layer.{at}.layer_norm"),
        ]

    def feed(self, at: int) -> Tensors:
        path = f"layer.{at}.DenseReluDense"
        inputs = ("wi_0", "wi_1") if self.gated else ("wi",)
        return [
            *(item for name in inputs for item in linear(f"{path}.{name}", self.inner, self.h)),
            *linear(f"{path}.wo", self.h, self.inner),
            *rms_norms(self.h, f"layer.{at}.layer_norm"),
        ]

    def stack(self, name: str, count: int, groups: list[Tensors]) -> tuple[Part, ...]:
        """One stack: its first block also holds the relative position table."""
        bias = table("layer.0.SelfAttention.relative_attention_bias", self.buckets, self.heads)
        parts = (
            blocks(f"{name}.block", range(1), bias, *groups),
            blocks(f"{name}.block", range(1, count), *groups),
            once(f"{name}.", rms_norms(self.h, "final_layer_norm")),
        )
        return tuple(part for part in parts if part.copies)


def t5(dims: Dims) -> Layout:
    model, vocab = _T5(dims), dims.size("vocab_size")
    own = model.attention(0, "SelfAttention")
    encoder = model.stack("encoder", model.encoder, [own, model.feed(1)])
    decoder = model.stack(
        "decoder", model.decoder, [own, model.attention(1, "EncDecAttention"), model.feed(2)]
    )
    head = [] if dims.flag("tie_word_embeddings", True) else linear("lm_head", vocab, model.h)
    parts = (once("", table("shared", vocab, model.h)), *encoder, *decoder, once("", head))
    return Layout(parts, vocab * model.h)
