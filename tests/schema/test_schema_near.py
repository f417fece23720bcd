"""Suggestions: slips of the hand, nothing bolder."""

from __future__ import annotations

import pytest

from shardlint.schema import suggest, table

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
