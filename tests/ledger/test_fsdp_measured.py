"""78 DDP, FSDP1 and FSDP2 runs, to the byte on every rank."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.measured import fsdp_arguments, fsdp_held, fsdp_plan, load, of_rank, tensors
from shardlint.ledger import Ledger, ledger

RUNS = load("fsdp")
BY_ARGUMENTS = {case["args"]: case for case in RUNS["cases"]}


def ledger_of(case: dict[str, Any]) -> Ledger:
    return ledger(fsdp_plan(fsdp_arguments(case["args"])), tensors(RUNS["models"][case["model"]]))


def test_all_runs_are_here():
    assert len(BY_ARGUMENTS) == 78


@pytest.mark.parametrize("arguments", BY_ARGUMENTS)
def test_every_term_on_every_rank(arguments: str):
    case = BY_ARGUMENTS[arguments]
    found = ledger_of(case)
    for rank in range(int(fsdp_arguments(arguments)["world"])):
        actual = fsdp_held(found, rank)
        assert actual == {name: of_rank(case[name], rank) for name in actual}, f"rank {rank}"


@pytest.mark.parametrize("arguments", [a for a in BY_ARGUMENTS if "--impl ddp" in a])
def test_ddp_buckets_are_the_gradients_again(arguments: str):
    buckets = ledger_of(BY_ARGUMENTS[arguments]).held("steady").get("DDP buckets", 0)
    if "--bucket-view" in arguments:
        assert buckets == 0
    else:
        assert buckets == BY_ARGUMENTS[arguments]["buckets"]


def test_gathered_parameters_are_gone_between_steps():
    for case in BY_ARGUMENTS.values():
        assert "gathered parameters" not in ledger_of(case).held("steady")
