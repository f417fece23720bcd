"""Suggestions: slips of the hand, nothing bolder."""

from __future__ import annotations

import pytest

from shardlint.schema import abbreviated, suggest, table

ZERO = table("deepspeed").names("zero_optimization")
TOP = table("deepspeed").names()


@pytest.mark.parametrize(
    ("word", "names", "meant"),
    [
        ("gradient_cliping", TOP, "gradient_clipping"),
        ("gradient-clipping", TOP, "gradient_clipping"),
        ("Gradient_Clipping", TOP, "gradient_clipping"),
        ("zero_optimisation", TOP, "zero_optimization"),
        ("train_micro_batch_size_per_gpus", TOP, "train_micro_batch_size_per_gpu"),
        ("stage3_param_persitance_threshold", ZERO, "stage3_param_persistence_threshold"),
        ("overlap_com", ZERO, "overlap_comm"),
        ("comm_overlap", ZERO, "overlap_comm"),
        ("stgae", ZERO, "stage"),
        ("clip_grad", TOP, "gradient_clipping"),
        ("my_own_setting", TOP, None),
        ("wandb_project", TOP, None),
        ("sdma_allgather", ZERO, None),
        ("lr", TOP, None),
        ("", TOP, None),
        ("x" * 5000, TOP, None),
    ],
)
def test_only_a_slip_is_suggested(word: str, names: tuple[str, ...], meant: str | None) -> None:
    assert suggest(word, names) == meant


def test_two_equally_near_names_give_none() -> None:
    assert suggest("hell", ["hello", "hella"]) is None


def test_fewer_edits_may_be_asked_for() -> None:
    assert suggest("weigth_decaay", ["weight_decay"], 1) is None
    assert suggest("weigth_decay", ["weight_decay"], 1) == "weight_decay"


@pytest.mark.parametrize(
    ("word", "names", "meant"),
    [
        ("stage3_max_live_params", ZERO, "stage3_max_live_parameters"),
        ("gradient_clip", TOP, "gradient_clipping"),
        ("train_micro_batch_size", TOP, "train_micro_batch_size_per_gpu"),
        ("accumulation_steps", TOP, None),
        ("stage3_p", ZERO, None),
        ("steps_", TOP, None),
        ("gradient", TOP, None),
        ("wandb_project", TOP, None),
        ("", TOP, None),
    ],
)
def test_a_short_form_of_one_key_only(word: str, names: tuple[str, ...], meant: str | None) -> None:
    assert abbreviated(word, names) == meant


@pytest.mark.parametrize(("word", "meant"), [("bfloat16", "bf16"), ("float16", "fp16"), ("float32", "fp32")])
def test_torch_names_of_a_precision(word: str, meant: str) -> None:
    assert suggest(word, ("no", "fp32", "fp16", "bf16", "fp8")) == meant
