"""125 DeepSpeed runs, to the byte: every term, every rank, every point at which the run was stopped."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.labels import POINTS, assert_equal, everything, phase_of
from ledger.measured import deepspeed_plan, load, of_rank, tensors
from shardlint.ledger import Ledger, ledger

RUNS = load("deepspeed")
BY_ID = {case["id"]: case for case in RUNS["cases"]}

SCALARS = 1024
"""Bytes of scalars, counters and the batch of a run that no term of the ledger covers: at most 700 seen."""


def ledger_of(case: dict[str, Any]) -> Ledger:
    return ledger(deepspeed_plan(case), tensors(RUNS["models"][case["model"]], case.get("frozen")))


def test_all_runs_are_here():
    assert len(BY_ID) == 125


@pytest.mark.parametrize("name", BY_ID)
def test_every_term_on_every_rank_at_every_point(name: str):
    case = BY_ID[name]
    found = ledger_of(case)
    for point, terms in case["points"].items():
        for rank in range(case["dp"]):
            assert_equal(found, point, terms, rank)


@pytest.mark.parametrize("name", BY_ID)
def test_nothing_but_scalars_is_left_out(name: str):
    """Against every tensor the garbage collector knew; the forward pass apart, where activations live."""
    case = BY_ID[name]
    found = ledger_of(case)
    for point, terms in case["points"].items():
        for rank in range(case["dp"]):
            if point != "after_forward":
                rest = of_rank(terms["all tensors"], rank) - everything(found, phase_of(point), rank)
                assert 0 <= rest < SCALARS, f"{point}, rank {rank}"


@pytest.mark.parametrize("name", [name for name, case in BY_ID.items() if "step_peak" in case])
def test_peak_inside_the_step(name: str):
    """The most the allocator held until the optimizer ran; persistent parameters are freed before it."""
    case = BY_ID[name]
    found = ledger_of(case)
    for rank in range(case["dp"]):
        fullest = max(everything(found, phase, rank) for phase in ("boundary", "step"))
        assert 0 <= of_rank(case["step_peak"], rank) - fullest < SCALARS


def test_each_point_was_reached_by_some_run():
    reached = {point.rstrip("0123456789") for case in BY_ID.values() for point in case["points"]}
    assert reached == set(POINTS)
