"""config.json of a model: facts only."""

from __future__ import annotations

import pytest

from formats.reading_helper import kind, read, values


def test_dimensions_under_the_names_of_two_families() -> None:
    modern = """
    {
      "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
      "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 1000,
      "tie_word_embeddings": false, "torch_dtype": "bfloat16",
      "quantization_config": {"quant_method": "gptq", "bits": 4}
    }
    """
    facts = {
        "model.type": "llama",
        "model.hidden_size": 64,
        "model.num_hidden_layers": 2,
        "model.num_attention_heads": 4,
        "model.num_key_value_heads": 2,
        "model.intermediate_size": 128,
        "model.vocab_size": 1000,
        "model.tied": False,
        "model.pretrained_dtype": "bf16",
        "model.quantized": "gptq",
        "model.quantized_bits": 4,
        "model.has_hidden_size": True,
    }
    reading = read(modern, "config.json")
    assert values(reading, *facts) == facts
    assert not any(term in reading.terms for term in ("load_dtype", "precision", "framework"))
    old = read(
        '{"n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 1000, "n_positions": 8}', "config.json"
    )
    assert values(old, "model.hidden_size", "model.num_hidden_layers", "model.has_hidden_size") == {
        "model.hidden_size": 64,
        "model.num_hidden_layers": 2,
    }


def test_the_text_part_of_a_multimodal_model() -> None:
    text = """
    {"model_type": "vl", "vision_config": {"hidden_size": 7},
     "text_config": {"hidden_size": 32, "vocab_size": 9}}
    """
    assert values(read(text, "config.json"), "model.hidden_size", "model.vocab_size") == {
        "model.hidden_size": 32,
        "model.vocab_size": 9,
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", '{"model_type": "roberta"}'),
        ("x.json", '{"hidden_size": 8, "dropout": 0.1}'),
        ("x.yaml", "model_type: llama\nhidden_size: 8\n"),
    ],
)
def test_not_recognised(name: str, text: str) -> None:
    assert kind(text, name) is None
