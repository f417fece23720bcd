"""Adapter sizes, against counts of peft 0.21.2 on the meta device."""

from __future__ import annotations

import pytest

from catalog.configs import config_of
from shardlint.catalog.architectures import Layout, count_parameters
from shardlint.catalog.lora import DEFAULT_TARGETS, lora_parameters
from shardlint.catalog.models import find_model

QV = ("q_proj", "v_proj")
QKVO = ("q_proj", "k_proj", "v_proj", "o_proj")
ALL = ("all-linear",)


def layout_of(name: str) -> Layout:
    model = find_model(name)
    assert model is not None
    layout = count_parameters(config_of(model))
    assert layout is not None
    return layout


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("meta-llama/Llama-2-7b-hf", (8_388_608, 16_777_216, 39_976_960)),
        ("meta-llama/Meta-Llama-3-8B", (6_815_744, 13_631_488, 41_943_040)),
        ("meta-llama/Meta-Llama-3-70B", (32_768_000, 65_536_000, 207_093_760)),
        ("Qwen/Qwen2.5-7B", (5_046_272, 10_092_544, 40_370_176)),
    ],
)
def test_rank_16_adapters_as_peft_counts_them(name: str, counts: tuple[int, int, int]) -> None:
    layout = layout_of(name)
    assert tuple(lora_parameters(layout, 16, targets) for targets in (QV, QKVO, ALL)) == counts


def test_the_count_grows_with_the_rank() -> None:
    layout = layout_of("meta-llama/Llama-2-7b-hf")
    assert lora_parameters(layout, 64, QV) == 4 * 8_388_608


def test_attention_of_a_model_with_experts_is_counted_and_its_experts_are_not() -> None:
    layout = layout_of("mistralai/Mixtral-8x7B-v0.1")
    assert lora_parameters(layout, 16, QV) == 6_815_744
    assert lora_parameters(layout, 16, ALL) is None
    assert lora_parameters(layout, 16, ("q_proj", "w1")) is None


@pytest.mark.parametrize("targets", [(), ("no_such_layer",), ("q_proj", "embed_tokens"), ("norm",)])
def test_targets_that_are_no_linear_layer_give_no_count(targets: tuple[str, ...]) -> None:
    assert lora_parameters(layout_of("meta-llama/Llama-2-7b-hf"), 16, targets) is None


def test_default_targets_are_layers_of_their_class() -> None:
    for kind, targets in DEFAULT_TARGETS.items():
        model = next(m for m in map(find_model, SAMPLES) if m is not None and m.type == kind)
        assert lora_parameters(layout_of(model.id), 8, targets), kind


SAMPLES = (
    "meta-llama/Llama-2-7b-hf", "mistralai/Mistral-7B-v0.1", "mistralai/Mixtral-8x7B-v0.1", "Qwen/Qwen2.5-7B",
    "google/gemma-2b", "google/gemma-2-2b", "microsoft/phi-2", "facebook/opt-125m", "EleutherAI/gpt-j-6b",
    "EleutherAI/gpt-neo-2.7B", "EleutherAI/pythia-1b", "bigscience/bloom-560m", "tiiuae/falcon-7b", "gpt2",
    "t5-base", "bert-base-uncased", "roberta-base", "Qwen/Qwen3-8B", "google/gemma-3-1b-it",
    "stabilityai/stablelm-3b-4e1t", "bigcode/starcoderbase",
)  # fmt: skip
