"""The config.json of every model of the table whose class has a closed form: row and what the row lacks."""

from __future__ import annotations

from collections.abc import Callable

from shardlint.catalog.models import Model

Config = dict[str, object]


def _gpt2(model: Model) -> Config:
    return {
        "n_embd": model.hidden,
        "n_layer": model.layers,
        "n_head": model.heads,
        "n_positions": model.positions,
    }


def _t5(model: Model) -> Config:
    return {
        "d_model": model.hidden,
        "d_ff": model.inner,
        "d_kv": model.head_dim,
        "num_layers": model.layers,
        "num_heads": model.heads,
        "feed_forward_proj": "gated-gelu" if "flan" in model.id else "relu",
    }


def _falcon(model: Model) -> Config:
    grouped = model.id.endswith("40b")
    return {"new_decoder_architecture": grouped, "num_kv_heads": 8 if grouped else 71}


def _qwen3_moe(model: Model) -> Config:
    return {"num_experts": model.experts, "moe_intermediate_size": 768 if "30B" in model.id else 1536}


def _deepseek(model: Model) -> Config:
    small = "Lite" in model.id or "Moonlight" in model.id
    widths = {"DeepSeek-V2": 1536, "DeepSeek-V3": 2048, "Kimi-K2-Instruct": 2048}
    return {
        "kv_lora_rank": 512,
        "q_lora_rank": None if small else 1536,
        "qk_rope_head_dim": 64,
        "qk_nope_head_dim": 128,
        "v_head_dim": 128,
        "n_routed_experts": model.experts,
        "n_shared_experts": 2 if small or "V2" in model.id else 1,
        "moe_intermediate_size": widths.get(model.id.rpartition("/")[2], 1408),
        "first_k_dense_replace": 3 if "V3" in model.id else 1,
    }


LACKING: dict[str, Callable[[Model], Config]] = {
    "gpt2": _gpt2,
    "gpt_bigcode": _gpt2,
    "gptj": _gpt2,
    "gpt_neo": lambda model: {"num_layers": model.layers, "num_heads": model.heads},
    "opt": lambda model: {"ffn_dim": model.inner},
    "bloom": lambda model: {"n_layer": model.layers},
    "distilbert": lambda model: {"dim": model.hidden, "hidden_dim": 3072, "n_layers": model.layers},
    "t5": _t5,
    "mixtral": lambda model: {"num_local_experts": model.experts},
    "gpt_oss": lambda model: {"num_local_experts": model.experts},
    "glm4": lambda model: {"attention_bias": True},
    "roberta": lambda model: {"type_vocab_size": 1},
    "qwen3_moe": _qwen3_moe,
    "qwen2_moe": lambda model: {
        "num_experts": model.experts,
        "moe_intermediate_size": 1408,
        "shared_expert_intermediate_size": 5632,
    },
    "falcon": _falcon,
    "deepseek_v2": _deepseek,
    "deepseek_v3": _deepseek,
}


def config_of(model: Model) -> Config:
    """The config.json of a row."""
    return {**model.config, **LACKING.get(model.type, lambda _: {})(model)}
