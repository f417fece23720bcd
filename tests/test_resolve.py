"""Plans filled in from settings, the catalog and a config.json."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shardlint.engine import plans_of
from shardlint.plan import Fact, ParameterGroup, TrainingPlan
from shardlint.report import Place
from shardlint.resolve import resolve
from shardlint.settings import Settings, SettingsLoader
from shardlint.syntax.parse import parse
from shardlint.syntax.tree import Span
from shardlint.workspace import Workspace

GIB = 1024**3
LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "vocab_size": 32000,
}


def settings(root: Path = Path(), **facts: object) -> Settings:
    """Settings as an editor sends them: they fill in, they do not override."""
    named = {name.replace("__", "."): value for name, value in facts.items()}
    loader = SettingsLoader(root, editor=named)
    assert not [notice for notice in loader.notices if notice.asked]
    return loader.at(root)


def flags(*words: str) -> Settings:
    return SettingsLoader(Path(), list(words)).at(Path())


def stated(**terms: object) -> dict[str, Fact[object]]:
    """Facts a file of the job states."""
    place = Place("train.yaml", "key", Span(0, 3))
    return {
        name.replace("__", "."): Fact(value, "train.yaml:1", place=place) for name, value in terms.items()
    }


def filled(
    own: Settings, terms: dict[str, Fact[object]] | None = None, space: Workspace | None = None
) -> TrainingPlan:
    return resolve(TrainingPlan(), own, terms, space)


def test_parameters_of_the_settings() -> None:
    plan = filled(settings(model__params="7B"))
    assert (plan.params.value, plan.params.standing) == (7_000_000_000, "given")
    assert plan.trainable.value == 7_000_000_000
    assert plan.groups == (ParameterGroup("trained", 7_000_000_000),)


def test_a_name_of_the_settings_leads_to_its_row() -> None:
    plan = filled(settings(model__name="meta-llama/Llama-2-7b-hf"))
    assert (plan.params.value, plan.params.standing) == (6_738_415_616, "given")
    assert "model table, meta-llama/Llama-2-7b-hf" in plan.params.origin
    assert plan.option("model.hidden_size").value == 4096
    assert plan.option("model.largest_block").value == 202_383_360
    assert plan.option("model.embedding").value == 131_072_000


def test_stated_parameters_win_over_a_stated_name() -> None:
    plan = filled(settings(model__params="13B", model__name="meta-llama/Llama-2-7b-hf"))
    assert (plan.params.value, plan.params.against) == (13_000_000_000, ())


@pytest.mark.parametrize(
    ("name", "standing"),
    [
        ("meta-llama/Llama-2-7b-hf", "given"),
        ("meta-llama/Llama-2-7b-chat-hf", "assumed"),
        ("codellama/CodeLlama-7b", "assumed"),
        ("someone/Llama-2-7b-hf", "assumed"),
        ("/models/Llama-2-7b-hf", "assumed"),
        ("google/gemma-3-4b-it", "assumed"),
    ],
)
def test_a_name_in_a_training_file_counts_by_how_it_met_the_table(name: str, standing: str) -> None:
    plan = filled(settings(), stated(model__name=name))
    assert plan.params.known
    assert plan.params.standing == standing
    assert plan.trainable.standing == ("assumed" if standing == "assumed" else "derived")


def test_a_setting_that_means_the_same_model_wins_without_dispute() -> None:
    plan = filled(settings(model__params="7B"), stated(model__name="Qwen/Qwen2.5-7B"))
    assert (plan.params.value, plan.params.against) == (7_000_000_000, ())


def test_a_setting_that_means_another_model_is_kept_against_the_file() -> None:
    plan = filled(settings(model__params="13B"), stated(model__name="Qwen/Qwen2.5-7B"))
    assert plan.params.value == 7_615_616_512
    assert [other.value for other in plan.params.against] == [13_000_000_000]


def test_a_flag_overrides_the_file() -> None:
    plan = filled(flags("model.params=13B"), stated(model__name="Qwen/Qwen2.5-7B"))
    assert (plan.params.value, plan.params.against) == (13_000_000_000, ())
    plan = filled(flags("model.name=gpt2"), stated(model__name="Qwen/Qwen2.5-7B"))
    assert plan.params.value == 124_439_808


def test_a_setting_wins_over_a_doubtful_match() -> None:
    plan = filled(settings(model__params="13B"), stated(model__name="/models/Llama-2-7b-hf"))
    assert (plan.params.value, plan.params.against) == (13_000_000_000, ())


def test_an_unknown_name_says_what_to_set() -> None:
    plan = filled(settings(), stated(model__name="someone/unheard-of"))
    assert not plan.params.known
    assert plan.params.origin == "someone/unheard-of is in no table; set model.params"
    assert not plan.trainable.known
    assert plan.groups == ()


def test_a_config_among_the_files_is_counted() -> None:
    document = parse(json.dumps(LLAMA), "llama/config.json")
    fact: Fact[object] = Fact("llama", "x", place=Place(document.name, "model_type", Span(1, 2), document))
    plan = filled(settings(), {"model.type": fact, **stated(model__name="gpt2")})
    assert plan.params.value == 6_738_415_616
    assert plan.params.standing == "derived"
    assert plan.params.origin == "counted from llama/config.json"


@pytest.mark.parametrize("name", ["llama", "llama/config.json", "./llama/"])
def test_a_config_the_settings_name_is_found_and_counted(tmp_path: Path, name: str) -> None:
    (tmp_path / "llama").mkdir()
    (tmp_path / "llama/config.json").write_text(json.dumps(LLAMA), encoding="utf-8")
    plan = filled(settings(tmp_path, model__name=name), None, Workspace(tmp_path))
    assert plan.params.value == 6_738_415_616
    assert plan.option("model.largest_block").value == 202_383_360


@pytest.mark.parametrize("text", ["", "[]", "{", '{"model_type": "unheard-of"}', '{"model_type": {}}'])
def test_a_config_that_says_nothing_leaves_the_model_unknown(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    plan = filled(settings(tmp_path, model__name="./config.json"), None, Workspace(tmp_path))
    assert not plan.params.known
    assert "set model.params" in plan.params.origin


def test_sizes_of_the_settings_are_counted() -> None:
    named = {f"model.{'type' if key == 'model_type' else key}": value for key, value in LLAMA.items()}
    plan = filled(SettingsLoader(Path(), editor=named).at(Path()))
    assert (plan.params.value, plan.params.standing) == (6_738_415_616, "derived")


def test_trainable_parameters_leave_the_rest_frozen() -> None:
    plan = filled(settings(model__params=1_000, model__trainable_params=100))
    assert plan.trainable.value == 100
    assert plan.groups == (ParameterGroup("trained", 100), ParameterGroup("frozen", 900, False))


def test_adapters_are_counted_from_rank_targets_and_shapes() -> None:
    terms = stated(model__name="meta-llama/Llama-2-7b-hf", model__lora=True, model__lora_rank=16)
    terms |= stated(model__lora_targets=["q_proj", "v_proj"])
    plan = filled(settings(), terms)
    assert (plan.trainable.value, plan.trainable.standing) == (8_388_608, "derived")
    assert plan.groups == (
        ParameterGroup("base", 6_738_415_616, False),
        ParameterGroup("adapters", 8_388_608, True, "fp32"),
    )


def test_adapters_without_targets_are_assumed_where_peft_puts_them() -> None:
    plan = filled(settings(model__name="meta-llama/Llama-2-7b-hf", model__lora=True, model__lora_rank=16))
    assert (plan.trainable.value, plan.trainable.standing) == (8_388_608, "assumed")


@pytest.mark.parametrize("fact", [{"model__lora_rank": 16}, {"model__lora_targets": ["q_proj"]}])
def test_a_setting_about_adapters_implies_them(fact: dict[str, object]) -> None:
    plan = filled(settings(model__name="meta-llama/Llama-2-7b-hf", **fact))
    assert plan.groups[0] == ParameterGroup("base", 6_738_415_616, False)
    assert (plan.option("model.lora").value, plan.option("model.lora").standing) == (True, "derived")


def test_adapters_are_not_implied_where_they_are_denied_or_a_file_describes_them() -> None:
    denied = filled(settings(model__params="7B", model__lora=False, model__lora_rank=16))
    unused = filled(settings(model__params="7B"), stated(model__lora_rank=16))
    assert [len(plan.groups) for plan in (denied, unused)] == [1, 1]
    assert denied.groups == unused.groups == (ParameterGroup("trained", 7_000_000_000),)


def test_adapters_of_unknown_size_are_never_the_whole_model() -> None:
    plan = filled(settings(model__params="7B", model__lora=True))
    assert not plan.trainable.known
    assert "model.trainable_params" in plan.trainable.origin
    assert plan.groups == (ParameterGroup("base", 7_000_000_000, False),)


def test_stated_adapters_lie_beside_the_whole_base() -> None:
    plan = filled(settings(model__params="30.5B", model__lora=True, model__trainable_params="107M"))
    assert [group.count for group in plan.groups] == [30_500_000_000, 107_000_000]


@pytest.mark.parametrize(
    ("facts", "stored"),
    [
        ({"training_args.load_in_4bit": True}, "nf4"),
        ({"training_args.load_in_4bit": True, "training_args.bnb_4bit_use_double_quant": True}, "nf4-double"),
        ({"training_args.load_in_4bit": True, "training_args.bnb_4bit_quant_type": "fp4"}, "fp4"),
        ({"training_args.load_in_8bit": True}, "int8"),
        ({"model.quantized": "gptq-4bit"}, "4bit"),
        ({"model.quantized": "gptq"}, None),
        ({}, None),
    ],
)
def test_a_quantised_base_is_held_as_its_format_says(facts: dict[str, object], stored: str | None) -> None:
    named = {"model.params": "7B", "model.lora": True, **facts}
    plan = filled(SettingsLoader(Path(), editor=named).at(Path()))
    assert plan.groups[0].stored == stored


def test_the_gpu_table_fills_memory_and_capability() -> None:
    plan = filled(settings(gpu__name="A100-80GB"))
    assert plan.gpu_name.value == "A100-80GB"
    assert plan.gpu_bytes.get(0) / GIB == pytest.approx(79.15)
    assert (plan.gpu_bytes.standing, plan.capability.value) == ("derived", 8.0)


def test_stated_memory_and_capability_win_over_the_table() -> None:
    plan = filled(settings(gpu__name="A100-80GB", gpu__memory_gib=63.42, gpu__compute_capability="8.6"))
    assert plan.gpu_bytes.value == int(63.42 * GIB)
    assert plan.gpu_bytes.standing == "given"
    assert plan.capability.value == 8.6


def test_a_name_of_several_cards_is_assumed() -> None:
    plan = filled(settings(gpu__name="A100"))
    assert plan.gpu_bytes.standing == "assumed"
    assert plan.capability.standing == "derived"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Potato-12GB", "Potato-12GB is in no table; set gpu.memory_gib and gpu.compute_capability"),
        ("A100-64GB", "the memory of A100-64GB is in no table; set gpu.memory_gib"),
    ],
)
def test_an_unknown_card_says_what_to_set(name: str, says: str) -> None:
    plan = filled(settings(gpu__name=name))
    assert not plan.gpu_bytes.known
    assert plan.gpu_bytes.origin == says


def test_host_and_budget() -> None:
    plan = filled(settings(host_memory_gib=1024, budget__activations="20GiB", budget__fragmentation=0.1))
    assert plan.host_bytes.value == 1024 * GIB
    assert plan.activations.value == 20 * GIB
    assert plan.fragmentation.value == 0.1
    assert not plan.reserve.known


def test_sequence_length_from_the_setting_or_the_arguments() -> None:
    assert filled(settings(sequence_length=4096)).sequence_length.value == 4096
    assert filled(settings(training_args__max_seq_length=2048)).sequence_length.value == 2048
    assert not filled(settings()).sequence_length.known


def test_what_the_plan_states_is_kept() -> None:
    plan = resolve(TrainingPlan(params=Fact(5, "--params")), settings(model__params="7B"))
    assert plan.params == Fact(5, "--params")


def test_roles_have_models_of_their_own() -> None:
    own = settings(model__params="7B", roles__ref__model__params="1B")
    assert filled(own.for_role("ref")).params.value == 1_000_000_000
    assert filled(own.for_role("actor")).params.value == 7_000_000_000


def test_nothing_known_leaves_everything_unknown() -> None:
    plan = filled(settings())
    for fact in (
        plan.params,
        plan.trainable,
        plan.gpu_bytes,
        plan.capability,
        plan.host_bytes,
        plan.activations,
    ):
        assert not fact.known
        assert fact.origin
    assert plan.groups == ()


def test_sizes_that_are_auto_follow_the_hidden_size(tmp_path: Path) -> None:
    automatic = {"stage": 3, "reduce_bucket_size": "auto", "stage3_prefetch_bucket_size": "auto"}
    config = {"train_micro_batch_size_per_gpu": "auto", "zero_optimization": automatic}
    (tmp_path / "ds.json").write_text(json.dumps(config))
    (unknown,) = plans_of(tmp_path / "ds.json")
    assert not unknown.option("reduce_bucket_size").known
    (tmp_path / "shardlint.toml").write_text("[facts]\nmodel.hidden_size = 4096\n")
    (known,) = plans_of(tmp_path / "ds.json")
    sizes = [known.option(name) for name in automatic if name != "stage"]
    assert [size.value for size in sizes] == [4096**2, int(0.9 * 4096**2)]
    assert [size.standing for size in sizes] == ["derived", "derived"]
    assert "stage3_param_persistence_threshold" not in known.options
