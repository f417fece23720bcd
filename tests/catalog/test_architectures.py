"""Counts and shapes from a config.json, against the counts of the real classes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.configs import config_of
from corpus import corpus_bytes, manifest, requires_corpus
from shardlint.catalog.architectures import KINDS, count_parameters
from shardlint.catalog.models import Model, all_models

COUNTED = [model for model in all_models() if "formula" in model.counted_by]


@pytest.mark.parametrize("model", COUNTED, ids=lambda model: model.id)
def test_the_layout_of_a_config_is_what_its_class_builds(model: Model) -> None:
    layout = count_parameters(config_of(model))
    assert layout is not None
    assert layout.total == model.params
    assert layout.largest_block == model.block
    assert layout.embedding == model.embedding
    assert layout.largest_tensor == (model.largest_tensor, model.largest_tensor_params)
    assert layout.tensor_count == model.tensors


def test_every_family_is_checked_by_a_counted_model() -> None:
    assert {model.type for model in COUNTED} == KINDS
    assert len(COUNTED) == 112


def test_tensors_add_up_to_the_total_and_have_names_of_their_own() -> None:
    for model in COUNTED:
        layout = count_parameters(config_of(model))
        assert layout is not None
        if layout.tensor_count < 600:
            tensors = list(layout.tensors())
            assert sum(tensor.numel for tensor in tensors) == layout.total
            assert len({tensor.name for tensor in tensors}) == layout.tensor_count == len(tensors)


def test_a_wrong_norm_is_seen() -> None:
    """The check above would fail for a formula that forgets one norm a layer."""
    llama = next(model for model in COUNTED if model.id == "meta-llama/Llama-2-7b-hf")
    layout = count_parameters(config_of(llama))
    assert layout is not None
    assert layout.total - 32 * 4096 != llama.params


@pytest.mark.parametrize(
    "change",
    [
        {"model_type": "unheard-of"},
        {"model_type": None},
        {"hidden_size": None},
        {"hidden_size": "4096"},
        {"hidden_size": True},
        {"hidden_size": 4096.5},
        {"hidden_size": float("inf")},
        {"num_hidden_layers": 10**9},
        {"num_attention_heads": 0},
        {"vocab_size": -1},
        {"attention_bias": "yes"},
        {"architectures": ["LlamaForSequenceClassification"]},
    ],
    ids=str,
)
def test_what_is_not_known_is_not_counted(change: dict[str, object]) -> None:
    llama = next(model for model in COUNTED if model.id == "meta-llama/Llama-2-7b-hf")
    assert count_parameters({**config_of(llama), **change}) is None


def test_a_float_that_is_whole_counts_as_a_number() -> None:
    llama = next(model for model in COUNTED if model.id == "meta-llama/Llama-2-7b-hf")
    layout = count_parameters({**config_of(llama), "hidden_size": 4096.0})
    assert layout is not None and layout.total == llama.params


KEYS = (
    "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
    "head_dim", "vocab_size", "n_embd", "n_layer", "n_head", "n_positions", "d_model", "d_ff", "num_layers",
    "num_heads", "dim", "hidden_dim", "n_layers", "ffn_dim", "num_experts", "num_local_experts",
    "moe_intermediate_size", "shared_expert_intermediate_size", "decoder_sparse_step", "mlp_only_layers",
    "first_k_dense_replace", "n_shared_experts", "qk_layernorm", "patch_size", "image_size",
)  # fmt: skip
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 64),
    st.floats(),
    st.sampled_from(["", "4", "x"]),
    st.lists(st.integers(), max_size=2),
)


@settings(deadline=None)
@given(st.sampled_from(sorted(KINDS)), st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_no_config_raises(kind: str, config: dict[str, object]) -> None:
    layout = count_parameters({"model_type": kind, **config})
    assert layout is None or layout.total > 0


@requires_corpus
def test_real_configs_are_counted_or_left() -> None:
    seen = {row.path: _total(row.path) for row in manifest() if row.label == "model_config"}
    assert len(seen) >= 10
    assert any(total == 11_135_332_352 for path, total in seen.items() if "t5-v1_1-xxl" in path)
    assert any(total == 335_174_458 for path, total in seen.items() if "bert-large" in path)
    assert sum(total is not None for total in seen.values()) >= 5


def _total(path: str) -> int | None:
    layout = count_parameters(json.loads(corpus_bytes(path)))
    return layout.total if layout else None
