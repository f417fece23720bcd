"""Sharding that does not go with the model: its layers, its dtype, its experts, its engines."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, deepspeed, facts, findings, fsdp, keys, only, told

MICRO = {"train_micro_batch_size_per_gpu": 1}
LAYER = "acc.yaml: fsdp_config.fsdp_transformer_layer_cls_to_wrap"


@pytest.mark.parametrize(
    ("names", "model", "level"),
    [
        ("LlamaDecoderLayer", {"model__type": "bloom"}, "error"),
        ("BloomBlock", {"model__type": "bloom"}, None),
        ("LLaMADecoderLayer", {"model__type": "llama"}, "error"),
        ("LlamaDecoderLayr", {"model__type": "llama"}, "error"),
        ("MyThing", {"model__type": "llama"}, None),
        ("LLaMADecoderLayer", {"model__layer_class": "LlamaDecoderLayer"}, "error"),
        ("LlamaDecoderLayer", {}, None),
        ("LlamaMLP", {"model__type": "llama"}, None),
        ("MyDecoderLayer", {"model__type": "llama"}, "warning"),
        ("LlamaDecoderLayer", {"model__type": "llava"}, None),
        ("LlamaDecoderLayer", {"model__type": "bloom", "model__custom": True}, None),
        ("${LAYER}", {"model__type": "bloom"}, None),
        ("SiglipEncoderLayer,Gemma3DecoderLayer", {"model__type": "gemma3"}, None),
        ("LlamaDecoderLayer, LlamaMLP", {}, "error"),
        ("LlamaDecoderLayer,", {}, "error"),
    ],
)
def test_layer_class(names: str, model: dict[str, object], level: str | None) -> None:
    files = fsdp(1, transformer_layer_cls_to_wrap=names) | (facts(**model) if model else {})
    assert told(files, "layer-class-not-in-model") == ([(LAYER, level)] if level else [])


def test_a_policy_that_does_not_look_at_classes() -> None:
    files = fsdp(1, auto_wrap_policy="NO_WRAP", transformer_layer_cls_to_wrap="LlamaDecoderLayer")
    assert findings({**files, **facts(model__type="bloom")}, "layer-class-not-in-model") == []


def test_the_list_of_the_trainer() -> None:
    train = (
        "per_device_train_batch_size: 1\noutput_dir: out\nfsdp: full_shard auto_wrap\n"
        "fsdp_config:\n  transformer_layer_cls_to_wrap: [LlamaDecoderLayer]\n"
    )
    files = {"train.yaml": train, **facts(model__type="qwen2")}
    place = "train.yaml: fsdp_config.transformer_layer_cls_to_wrap"
    assert told(files, "layer-class-not-in-model") == [(place, "error")]


@pytest.mark.parametrize(
    ("names", "model", "fires"),
    [
        ("SiglipEncoderLayer", {"model__type": "gemma3", "model__layer_class": "Gemma3DecoderLayer"}, True),
        ("Gemma3DecoderLayer", {"model__type": "gemma3", "model__layer_class": "Gemma3DecoderLayer"}, False),
        ("SiglipEncoderLayer", {"model__type": "gemma3"}, True),
        ("Embedding", {"model__type": "gemma3"}, False),
        ("SiglipEncoderLayer", {}, False),
    ],
)
def test_decoder_layer(names: str, model: dict[str, object], fires: bool) -> None:
    files = fsdp(1, transformer_layer_cls_to_wrap=names) | (facts(**model) if model else {})
    assert keys(files, "decoder-layer-not-wrapped") == ([LAYER] if fires else [])


@pytest.mark.parametrize(
    ("model", "named", "level"),
    [
        ({"model__no_split_missing": True}, None, "warning"),
        ({"model__no_split_missing": True}, "Block", None),
        ({"model__type": "llama4_text"}, None, "info"),
        ({"model__type": "llama"}, None, None),
        ({}, None, None),
    ],
)
def test_layer_class_left_out(model: dict[str, object], named: str | None, level: str | None) -> None:
    files = fsdp(1, transformer_layer_cls_to_wrap=named) | (facts(**model) if model else {})
    place = "acc.yaml: fsdp_config.fsdp_auto_wrap_policy"
    assert told(files, "layer-class-left-to-model") == ([(place, level)] if level else [])


QUANT = "quantized-weights-under-zero3"


@pytest.mark.parametrize(
    ("stage", "flag", "stated", "key"),
    [
        (3, "true", {"training_args__load_in_4bit": True}, "zero3_init_flag"),
        (3, "false", {"training_args__load_in_8bit": True}, "zero_stage"),
        (3, "true", {"model__device_map": True}, "zero3_init_flag"),
        (3, "true", {"model__quantized": "gptq-4bit"}, "zero3_init_flag"),
        (3, "true", {"training_args__load_in_4bit": False}, None),
        (2, "false", {"training_args__load_in_4bit": True}, None),
        (3, "true", {}, None),
    ],
)
def test_quantised(stage: int, flag: str, stated: dict[str, object], key: str | None) -> None:
    section = f"deepspeed_config:\n  zero_stage: {stage}\n  zero3_init_flag: {flag}\n"
    files = accelerate("DEEPSPEED", section) | (facts(**stated) if stated else {})
    assert keys(files, QUANT) == ([f"acc.yaml: deepspeed_config.{key}"] if key else [])


@pytest.mark.parametrize(
    ("name", "fires"),
    [("org/Model-14B-Chat-Int4", True), ("org/Model-14B-GPTQ", True), ("org/Model-14B-Chat", False)],
)
def test_the_name_of_a_quantised_model(name: str, fires: bool) -> None:
    train = f"model_name_or_path: {name}\noutput_dir: out\nbf16: true\ndeepspeed: ds.json\n"
    files = {"train.yaml": train, **deepspeed(3, train_micro_batch_size_per_gpu="auto")}
    files |= facts(model__quantized="gptq-4bit")
    assert keys(files, QUANT) == (["train.yaml: model_name_or_path"] if fires else [])


MOE = "experts-without-leaf-module"


@pytest.mark.parametrize(
    ("stage", "leaf", "kind", "version", "fires"),
    [
        (3, {}, "deepseek_v2", "0.19.8", True),
        (3, {"leaf_module": {"classes": ["Moe"]}}, "deepseek_v2", "0.19.8", False),
        (2, {}, "deepseek_v2", "0.19.8", False),
        (3, {}, "qwen3_moe", "0.17.0", True),
        (3, {}, "qwen3_moe", "0.19.8", False),
    ],
)
def test_experts(stage: int, leaf: dict[str, object], kind: str, version: str, fires: bool) -> None:
    files = deepspeed(**MICRO, zero_optimization={"stage": stage, **leaf})
    files |= facts(model__type=kind, model__num_experts=64, versions__deepspeed=version)
    assert keys(files, MOE) == (["ds.json: zero_optimization.stage"] if fires else [])


HPZ = "zero_optimization.zero_hpz_partition_size"


@pytest.mark.parametrize(
    ("size", "world", "level"),
    [(6, 16, "error"), (8, 16, None), (16, 16, None), (32, 16, "warning"), (1, 16, None), ("${X}", 16, None)],
)
def test_hpz(size: object, world: int, level: str | None) -> None:
    files = deepspeed(**MICRO, zero_optimization={"stage": 3, "zero_hpz_partition_size": size})
    found = told({**files, **facts(world_size=world)}, "hpz-does-not-divide")
    assert found == ([(f"ds.json: {HPZ}", level)] if level else [])


def test_hpz_without_a_world_size() -> None:
    files = deepspeed(**MICRO, zero_optimization={"stage": 3, "zero_hpz_partition_size": 6})
    assert findings(files, "hpz-does-not-divide") == []


@pytest.mark.parametrize(("size", "second", "fires"), [(8, True, True), (1, True, False), (8, False, False)])
def test_hpz_and_a_second_engine(size: int, second: bool, fires: bool) -> None:
    files = deepspeed(**MICRO, zero_optimization={"stage": 3, "zero_hpz_partition_size": size})
    found = keys({**files, **facts(code__second_engine=second)}, "hpz-with-second-engine")
    assert found == ([f"ds.json: {HPZ}"] if fires else [])


@pytest.mark.parametrize(
    ("size", "consumer", "version", "fires"),
    [
        (8, "accelerate", "0.19.6", True),
        (-1, "accelerate", "0.19.6", False),
        (8, "deepspeed", "0.19.6", False),
        (8, "accelerate", "0.19.8", False),
    ],
)
def test_mics(size: int, consumer: str, version: str, fires: bool) -> None:
    files = deepspeed(**MICRO, zero_optimization={"stage": 3, "mics_shard_size": size})
    files |= facts(consumer=consumer, versions__deepspeed=version)
    assert keys(files, "mics-under-zero-init") == (
        ["ds.json: zero_optimization.mics_shard_size"] if fires else []
    )


@pytest.mark.parametrize(
    ("stage", "stated", "fires"),
    [
        (2, {"code__pipeline_module": True}, True),
        (3, {"code__pipeline_stages": 2}, True),
        (1, {"code__pipeline_module": True}, False),
        (2, {"code__pipeline_stages": 1}, False),
        (2, {"code__pipeline_module": False}, False),
    ],
)
def test_pipeline(stage: int, stated: dict[str, object], fires: bool) -> None:
    files = {**deepspeed(stage, **MICRO), **facts(**stated)}
    found = told(files, "pipeline-with-gradient-sharding")
    assert found == ([("ds.json: zero_optimization.stage", "error")] if fires else [])


def test_the_message_names_the_right_class() -> None:
    files = {**fsdp(1, transformer_layer_cls_to_wrap="LlamaDecoderLayer"), **facts(model__type="bloom")}
    assert "BloomBlock" in only(files, "layer-class-not-in-model").message
