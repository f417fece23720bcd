"""The table of settings: every name of the design and of public reports is in it."""

from __future__ import annotations

import pytest

from shardlint.settings.names import all_settings, find_setting, nearest_setting, role_and_name
from shardlint.settings.values import read

IN_REPORTS = """
code.optimizer code.pipeline_module code.pipeline_stages code.second_engine code.zero_init consumer
dataloader.batch_sampler gpu.compute_capability gpu.memory_gib gpu.name gpus_per_node host_memory_gib
launch.config_file launch.cwd launch.include launch.train launch.default_config launch.num_processes
model.custom model.device_map model.has_hidden_size model.hidden_size model.largest_param model.layer_class
model.load_dtype model.lora model.lora_rank model.lora_targets model.name model.no_split_missing
model.num_attention_heads model.num_experts model.num_hidden_layers model.num_key_value_heads model.params
model.pretrained_dtype model.quantized model.tied model.trainable_params model.type model.vocab_size nodes
sequence_length micro_batch_size attention gradient_checkpointing training_args.fp16
training_args.gradient_accumulation_steps training_args.learning_rate training_args.load_in_4bit
versions.deepspeed versions.trl world_size parallel.tensor parallel.pipeline parallel.context
parallel.sequence parallel.expert parallel.replicate checkpoint.dp_world_size budget.activations
budget.reserve budget.fragmentation roles.actor.model.params roles.ref.training_args.bf16
"""


@pytest.mark.parametrize("name", IN_REPORTS.split())
def test_names_people_need_are_settings(name: str) -> None:
    assert find_setting(name) is not None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "wrld_size",
        "model",
        "model.parms",
        "versions.",
        "training_args.",
        "roles.actor",
        "roles..world_size",
        "roles.a.roles.b.world_size",
        "facts",
    ],
)
def test_other_names_are_none(name: str) -> None:
    assert find_setting(name) is None


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("wrld_size", "world_size"),
        ("model.parms", "model.params"),
        ("worldsize", "world_size"),
        ("gpu.memory", "gpu.memory_gib"),
        ("params", "model.params"),
        ("roles.actor.model.parms", "roles.actor.model.params"),
        ("xyzzy", None),
    ],
)
def test_a_misspelt_name_is_recognised(wrong: str, right: str | None) -> None:
    assert nearest_setting(wrong) == right


def test_every_row_has_a_kind_that_can_be_read_and_a_meaning() -> None:
    for name, setting in all_settings().items():
        assert setting.name == name
        assert setting.meaning
        assert read(setting.kind, None).complaint, name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("roles.actor.model.params", ("actor", "model.params")),
        ("roles.actor", ("actor", "")),
        ("roles", ("", "roles")),
        ("model.params", ("", "model.params")),
    ],
)
def test_the_role_of_a_name(name: str, expected: tuple[str, str]) -> None:
    assert role_and_name(name) == expected
