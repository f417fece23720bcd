"""Models by the names people use."""

from __future__ import annotations

import pytest

from shardlint.catalog.models import all_models, find_model, suggest_models


@pytest.mark.parametrize(
    ("name", "id", "matched"),
    [
        ("meta-llama/Llama-2-7b-hf", "meta-llama/Llama-2-7b-hf", "id"),
        ("META-LLAMA/llama-2-7b-HF", "meta-llama/Llama-2-7b-hf", "id"),
        ("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Meta-Llama-3.1-8B", "alias"),
        ("t5-11b", "google-t5/t5-11b", "alias"),
        ("gpt2", "gpt2", "id"),
        ("gpt-neo-2.7b", "EleutherAI/gpt-neo-2.7B", "name"),
        ("bloomz-560m", "bigscience/bloom-560m", "name"),
        ("someone/Llama-2-7b-hf", "meta-llama/Llama-2-7b-hf", "name"),
        ("llama-2-7b", "meta-llama/Llama-2-7b-hf", "variant"),
        ("codellama/CodeLlama-7b", "codellama/CodeLlama-7b-hf", "variant"),
        ("/data/models/Llama-2-7b-hf/", "meta-llama/Llama-2-7b-hf", "path"),
        ("./Llama-2-7b-hf", "meta-llama/Llama-2-7b-hf", "path"),
    ],
)
def test_names_lead_to_rows(name: str, id: str, matched: str) -> None:
    model = find_model(name)
    assert model is not None
    assert (model.id, model.matched) == (id, matched)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/",
        "llama",
        "Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4",
        "TheBloke/Llama-2-7B-AWQ",
        "./out/checkpoint-500",
        "meta-llama/Llama-2-9b-hf",
    ],
)
def test_other_names_lead_nowhere(name: str) -> None:
    assert find_model(name) is None


def test_every_id_and_alias_leads_to_its_own_row() -> None:
    for model in all_models():
        for name in (model.id, *model.aliases):
            found = find_model(name)
            assert found is not None and found.id == model.id, name


def test_ids_are_of_their_own() -> None:
    models = all_models()
    assert len(models) == 118
    assert len({model.id for model in models}) == 118


def test_figures_are_in_order() -> None:
    for model in all_models():
        assert 0 < model.block <= model.params, model.id
        assert model.largest_tensor_params <= model.params
        assert model.source


def test_a_misspelt_name_finds_its_neighbours() -> None:
    assert suggest_models("meta-lama/Llama-2-7b-hf")[0] == "meta-llama/Llama-2-7b-hf"
    assert suggest_models("zzzzzzzz") == ()
