"""The registry: which formats there are, whose file is whose, and the test of the raw text."""

from __future__ import annotations

from pathlib import Path

import pytest

import shardlint.formats
from formats.reading_helper import kind
from shardlint.formats.foreign import foreign_stack
from shardlint.formats.keys import Keys
from shardlint.formats.registry import all_formats, recognise, sniff
from shardlint.syntax.parse import parse

FOREIGN = {
    "GPT-NeoX": '{"pipe-parallel-size": 1, "zero_optimization": {"stage": 1}, "train_batch_size": 4}',
    "axolotl": '{"base_model": "a/b", "micro_batch_size": 1, "deepspeed": "ds.json", "bf16": true}',
    "LLaMA-Factory v1": '{"model": "a/b", "dist_config": {"name": "deepspeed", "config_file": "ds.json"}}',
    "ms-swift": '{"rlhf_type": "dpo", "per_device_train_batch_size": 1, "deepspeed": "zero2"}',
    "verl": '{"actor_rollout_ref": {}, "data": {"train_batch_size": 8}}',
    "EasyR1": '{"worker": {"actor": {}, "rollout": {}}}',
    "NeMo-RL": '{"policy": {"train_global_batch_size": 8}}',
    "NeMo Automodel": '{"recipe": "x", "distributed": {"strategy": "fsdp2"}}',
    "torchtune": '{"model": {"_component_": "x"}, "gradient_accumulation_steps": 1}',
    "Composer": '{"fsdp_config": {"sharding_strategy": "x", "use_orig_params": true}, "max_duration": "1ep"}',
    "Lightning": '{"trainer": {"devices": 8, "strategy": "deepspeed_stage_3"}}',
    "torchtitan": '{"job": {}, "training": {"seq_len": 8}, "activation_checkpoint": {}}',
    "ROLL": '{"actor_train": {"strategy_args": {}}}',
    "Hydra": '{"_target_": "a.B", "per_device_train_batch_size": 1, "output_dir": "o"}',
}


@pytest.mark.parametrize("stack", FOREIGN)
def test_a_file_of_another_stack_is_not_ours(stack: str) -> None:
    document = parse(FOREIGN[stack], "x.json")
    assert foreign_stack(Keys.of(document)) == stack
    assert recognise(document) is None


def test_an_own_file_is_nobody_elses() -> None:
    for text in ('{"zero_optimization": {"stage": 1}}', '{"distributed_type": "FSDP", "num_processes": 2}'):
        assert foreign_stack(Keys.of(parse(text, "x.json"))) is None


def test_every_module_with_a_format_is_collected() -> None:
    [folder] = shardlint.formats.__path__
    modules = [
        path for path in Path(folder).glob("*.py") if "\nFORMAT = " in path.read_text(encoding="utf-8")
    ]
    assert len(all_formats()) == len(modules)
    names = [format.name for format in all_formats()]
    assert len(set(names)) == len(names)


def test_the_order_is_that_of_the_ranks() -> None:
    ranks = [format.rank for format in all_formats()]
    assert ranks == sorted(set(ranks))


def test_a_deepspeed_file_with_launcher_keys_stays_one() -> None:
    assert (
        kind('{"zero_optimization": {"stage": 2}, "num_processes": 8, "num_machines": 1}', "x.json")
        == "deepspeed"
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"zero\\u005foptimization": {"stage": 3}}',
        '{"zero_opt\\u0069mization": {"stage": 3}, "train_batch_size": 4}',
    ],
)
def test_the_raw_text_test_sees_through_escapes(text: str) -> None:
    assert kind(text, "x.json") == "deepspeed"
    assert sniff(text, "x.json")


def test_the_raw_text_test_refuses_what_has_no_tell() -> None:
    assert not sniff('{"name": "x", "scripts": {"test": "node run.js"}}', "package.json")
    assert not sniff("on: push\njobs: {}\n", "ci.yml")
    assert not sniff("", "x.yaml")


def test_merged_keys_count() -> None:
    text = "base: &b\n  stage: 3\n<<: {zero_optimization: {stage: 2}}\ntrain_batch_size: 8\n"
    assert kind(text, "ds.yaml") == "deepspeed"


def test_the_first_of_several_yaml_documents_decides() -> None:
    assert kind("a: 1\n---\nzero_optimization: {stage: 1}\n", "x.yaml") is None
    assert kind("zero_optimization: {stage: 1}\n---\na: 1\n", "x.yaml") == "deepspeed"
