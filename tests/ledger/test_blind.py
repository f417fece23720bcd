"""Runs drawn at random while the formulas were frozen, and measured afterwards.

What the frozen formulas missed is kept with each run (`missed`) and counted here; they were corrected since.
`aimed` runs were drawn where formulas had been read in the source and never measured.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.labels import assert_equal
from ledger.measured import deepspeed_plan, fsdp_arguments, fsdp_held, fsdp_plan, load, of_rank, tensors
from shardlint.ledger import ledger

RUNS = load("blind")
DEEPSPEED = {case["id"]: case for case in (*RUNS["deepspeed"], *RUNS["aimed"])}
FSDP = {case["args"]: case for case in RUNS["fsdp"]}


def missed(kind: str) -> tuple[int, int]:
    """(runs, those the frozen formulas had every term of right)."""
    runs: list[dict[str, Any]] = RUNS[kind]
    return len(runs), sum("missed" not in run for run in runs)


def test_what_the_frozen_formulas_got_right():
    assert missed("deepspeed") == (26, 25)
    assert missed("aimed") == (16, 14)
    assert missed("fsdp") == (13, 12)


@pytest.mark.parametrize("name", DEEPSPEED)
def test_deepspeed(name: str):
    case = DEEPSPEED[name]
    shapes = tensors(RUNS["models"]["deepspeed"][case["model"]], case.get("frozen"))
    found = ledger(deepspeed_plan(case), shapes)
    for point, terms in case["points"].items():
        for rank in range(case["dp"]):
            assert_equal(found, point, terms, rank)


@pytest.mark.parametrize("arguments", FSDP)
def test_fsdp(arguments: str):
    case = FSDP[arguments]
    found = ledger(fsdp_plan(fsdp_arguments(arguments)), tensors(RUNS["models"]["fsdp"][case["model"]]))
    for rank in range(int(fsdp_arguments(arguments)["world"])):
        actual = fsdp_held(found, rank)
        assert actual == {name: of_rank(case[name], rank) for name in actual}, f"rank {rank}"
