"""The Trainer's fsdp_config in a file of its own."""

from __future__ import annotations

import pytest

from formats.reading_helper import kind, read, standing, values


def test_a_preset_beside_its_word() -> None:
    text = """
    {
      "_note": "sharding for the small cluster",
      "fsdp": "full_shard auto_wrap offload",
      "fsdp_config": {
        "fsdp_version": 2, "reshard_after_forward": false, "state_dict_type": "sharded_state_dict",
        "activation_checkpointing": true, "cpu_ram_efficient_loading": true
      }
    }
    """
    reading = read(text, "fsdp.json")
    assert reading.format.name == "fsdp"
    stated = {
        "framework": "fsdp2",
        "reshard": False,
        "offload_param": "cpu",
        "offload_optimizer": "cpu",
        "wrap": "TRANSFORMER_BASED_WRAP",
        "checkpointing": True,
        "options.fsdp_state_dict_type": "SHARDED_STATE_DICT",
        "options.fsdp_cpu_ram_efficient_loading": True,
    }
    assert values(reading, *stated) == stated
    assert reading.consumer.value == "hf-trainer"


def test_a_bare_file_leaves_the_version_open() -> None:
    reading = read('{"fsdp_transformer_layer_cls_to_wrap": ["LlamaDecoderLayer"]}', "fsdp.json")
    assert reading.terms["framework"].value == "fsdp1"
    assert standing(reading, "framework") == "assumed"
    assert values(reading, "strategy", "options.fsdp_transformer_layer_cls_to_wrap") == {
        "strategy": "FULL_SHARD",
        "options.fsdp_transformer_layer_cls_to_wrap": ["LlamaDecoderLayer"],
    }


def test_a_boolean_reshard_shows_version_2() -> None:
    reading = read('{"reshard_after_forward": true, "auto_wrap_policy": "NO_WRAP"}', "fsdp.json")
    assert values(reading, "framework", "reshard", "wrap") == {
        "framework": "fsdp2",
        "reshard": True,
        "wrap": "NO_WRAP",
    }
    assert standing(reading, "framework") == "assumed"


def test_size_based_wrapping() -> None:
    text = (
        '{"fsdp": "full_shard auto_wrap", "fsdp_config": {"min_num_params": 2000, "use_orig_params": true}}'
    )
    assert values(read(text, "fsdp.json"), "wrap", "strategy") == {
        "wrap": "SIZE_BASED_WRAP",
        "strategy": "FULL_SHARD",
    }


def test_wrong_types_state_nothing() -> None:
    text = '{"version": "two", "reshard_after_forward": "yes", "cpu_offload": "auto", "backward_prefetch": 3}'
    silent = ("framework", "reshard", "strategy", "offload_param", "options.fsdp_backward_prefetch")
    assert values(read(text, "fsdp.json"), *silent) == {}


@pytest.mark.parametrize(
    "text",
    [
        '{"fsdp_config": {"sharding_strategy": "FULL_SHARD"}, "max_duration": "1ep"}',
        '{"fsdp_config": {"sharding_strategy": "FULL_SHARD"}, "model": {}}',
        '{"version": 2, "min_num_params": 0}',
        '{"version": 1, "name": "x", "state_dict_type": "full", "author": "y", "files": []}',
        '{"fsdp_config": {}}',
    ],
)
def test_not_recognised(text: str) -> None:
    assert kind(text, "x.json") is None
