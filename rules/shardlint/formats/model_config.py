"""The config.json of a Hugging Face model: a source of facts about the model, nothing to lint."""

from __future__ import annotations

from shardlint.formats.dialects import dialect_for
from shardlint.formats.draft import Convert, Draft
from shardlint.formats.keys import Keys
from shardlint.formats.reading import Reading
from shardlint.formats.values import count, dtype, switch, word
from shardlint.plan import DERIVED, Fact
from shardlint.syntax.document import Document
from shardlint.syntax.view import Dialect, View

NAMES: dict[str, tuple[Convert, tuple[str, ...]]] = {
    "hidden_size": (count, ("hidden_size", "n_embd", "d_model", "dim")),
    "num_hidden_layers": (count, ("num_hidden_layers", "n_layer", "n_layers", "num_layers")),
    "num_attention_heads": (count, ("num_attention_heads", "n_head", "n_heads", "num_heads")),
    "num_key_value_heads": (count, ("num_key_value_heads", "multi_query_group_num")),
    "intermediate_size": (count, ("intermediate_size", "n_inner", "ffn_dim", "d_ff", "hidden_dim")),
    "head_dim": (count, ("head_dim", "d_kv")),
    "vocab_size": (count, ("vocab_size", "padded_vocab_size")),
    "num_experts": (count, ("num_experts", "num_local_experts", "n_routed_experts")),
    "moe_intermediate_size": (count, ("moe_intermediate_size",)),
    "num_experts_per_tok": (count, ("num_experts_per_tok",)),
    "max_position_embeddings": (count, ("max_position_embeddings", "n_positions", "n_ctx")),
    "tied": (switch, ("tie_word_embeddings",)),
    "pretrained_dtype": (dtype, ("dtype", "torch_dtype")),
}
"""Fact `model.<name>` -> what the value must be, and the keys that state it in some model family."""

DIMENSIONS = frozenset(key for name in tuple(NAMES)[:7] for key in NAMES[name][1]) - {"dim", "hidden_dim"}
LAYERS = frozenset(NAMES["num_hidden_layers"][1])
HEADS = frozenset(NAMES["num_attention_heads"][1])
NESTED = ("text_config", "llm_config", "language_config")
WITHOUT_TYPE = 3
"""Dimensions a config of the time before model_type must have."""


class ModelConfigFormat:
    """A model's config.json."""

    name = "model-config"
    schema = None
    rank = 50
    tells = frozenset({"model_type", "architectures"}) | DIMENSIONS

    def matches(self, document: Document) -> bool:
        if document.language != "json":
            return False
        keys = Keys.of(document)
        if keys.is_scalar("model_type") or keys.is_list("architectures"):
            return keys.count(DIMENSIONS) > 0 or any(map(keys.is_mapping, (*NESTED, "vision_config")))
        sized = bool(keys.names & LAYERS) and bool(keys.names & HEADS) and "vocab_size" in keys.names
        return sized and keys.count(DIMENSIONS) > WITHOUT_TYPE

    def read(self, document: Document, dialect: Dialect | None = None) -> Reading:
        from shardlint.syntax.dialects.strict_json import STRICT_JSON

        draft = Draft(View(document, dialect or dialect_for(document, STRICT_JSON)))
        draft.take("model.type", word, "model_type")
        for base in ((), *((key,) for key in NESTED)):
            _dimensions(draft, base)
        draft.take("model.quantized", word, "quantization_config", "quant_method")
        draft.take("model.quantized_bits", count, "quantization_config", "bits")
        _hidden_size(draft)
        return draft.reading(self, Fact("transformers", f"{document.name} describes a model", DERIVED))


FORMAT = ModelConfigFormat()


def _dimensions(draft: Draft, base: tuple[str, ...]) -> None:
    for name, (convert, keys) in NAMES.items():
        for key in keys:
            draft.take(f"model.{name}", convert, *base, key)


def _hidden_size(draft: Draft) -> None:
    """The config has the hidden_size that `auto` bucket sizes need; a class may map another name to it."""
    for path in (("hidden_size",), ("text_config", "hidden_size")):
        entry = draft.entry(*path)
        if entry is not None and draft.value(count, *path) is not None:
            draft.state("model.has_hidden_size", entry, True)
