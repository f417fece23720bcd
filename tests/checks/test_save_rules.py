"""What a saved model or checkpoint holds."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, deepspeed, facts, fsdp, only, told

MICRO = {"train_micro_batch_size_per_gpu": 1}
STEPS = {**MICRO, "gradient_accumulation_steps": 1}
GATHER = "stage3_gather_16bit_weights_on_model_save"


@pytest.mark.parametrize(
    ("stage", "gather", "key"),
    [
        (3, None, "zero_optimization"),
        (3, False, f"zero_optimization.{GATHER}"),
        (3, True, None),
        (3, "auto", None),
        (3, "${GATHER}", None),
        (2, None, None),
    ],
)
def test_gathering_at_save(stage: int, gather: object, key: str | None) -> None:
    zero = {"stage": stage} if gather is None else {"stage": stage, GATHER: gather}
    found = told(deepspeed(**STEPS, zero_optimization=zero), "sharded-save-without-gather")
    assert found == ([(f"ds.json: {key}", "info")] if key else [])


def test_a_file_that_may_be_for_inference_is_left_alone() -> None:
    assert told(deepspeed(3, **MICRO), "sharded-save-without-gather") == []
    assert told({**deepspeed(3, **MICRO), **facts(consumer="deepspeed")}, "sharded-save-without-gather")


@pytest.mark.parametrize(
    ("stage", "save", "fires"), [(3, "false", True), (3, "true", False), (2, "false", False)]
)
def test_gathering_in_the_launchers_file(stage: int, save: str, fires: bool) -> None:
    section = f"deepspeed_config:\n  zero_stage: {stage}\n  zero3_save_16bit_model: {save}\n"
    found = told(accelerate("DEEPSPEED", section), "sharded-save-without-gather")
    assert found == ([("acc.yaml: deepspeed_config.zero3_save_16bit_model", "info")] if fires else [])


@pytest.mark.parametrize(
    ("consumer", "effect"),
    [
        ("hf-trainer", "the Trainer saves a ZeRO checkpoint instead of a model file"),
        ("accelerate", "accelerate's get_state_dict raises a ValueError, "),
        ("deepspeed", "save_16bit_model writes no file"),
        ("lightning", "the weights are only saved in a ZeRO checkpoint, not in a model file"),
    ],
)
def test_what_is_saved_without_gathering_depends_on_who_saves(consumer: str, effect: str) -> None:
    files = {**deepspeed(3, **MICRO), **facts(consumer=consumer)}
    assert f": under ZeRO-3 {effect}" in only(files, "sharded-save-without-gather").message


TRAIN = "per_device_train_batch_size: 1\noutput_dir: out\n"


@pytest.mark.parametrize(
    ("only", "best", "engine", "fires"),
    [
        ("true", "true", "deepspeed: ds.json", True),
        ("true", "false", "deepspeed: ds.json", False),
        ("false", "true", "deepspeed: ds.json", False),
        ("true", "true", "fsdp: full_shard", True),
        ("true", "true", "bf16: true", False),
    ],
)
def test_best_model(only: str, best: str, engine: str, fires: bool) -> None:
    train = f"{TRAIN}save_only_model: {only}\nload_best_model_at_end: {best}\n{engine}\n"
    files = {"train.yaml": train, **deepspeed(2, train_micro_batch_size_per_gpu="auto")}
    found = told(files, "best-model-without-states")
    assert found == ([("train.yaml: save_only_model", "error")] if fires else [])


@pytest.mark.parametrize(
    ("kind", "only", "fires"),
    [
        ("SHARDED_STATE_DICT", "true", True),
        ("FULL_STATE_DICT", "true", False),
        ("SHARDED_STATE_DICT", "false", False),
    ],
)
def test_model_only_save(kind: str, only: str, fires: bool) -> None:
    files = {
        **fsdp(1, state_dict_type=kind),
        "train.yaml": f"{TRAIN}num_train_epochs: 1\nsave_only_model: {only}\n",
        "shardlint.toml": '[[jobs]]\nfiles = ["train.yaml", "acc.yaml"]\n',
    }
    found = told(files, "model-only-save-of-shards")
    assert found == ([("train.yaml: save_only_model", "error")] if fires else [])
