"""Real DeepSpeed and torch processes against the ledger, to the byte. Needs the extra `oracle`."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from ledger.measured import deepspeed_plan, plan
from oracle.ranks import SHARED_MEMORY, run
from shardlint.ledger import Ledger, ledger
from shardlint.plan import Tensor

pytestmark = pytest.mark.oracle

WITH_TORCH = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
WITH_DEEPSPEED = pytest.mark.skipif(
    importlib.util.find_spec("deepspeed") is None, reason="deepspeed is not installed"
)

ADAM = {"type": "AdamW", "params": {"lr": 1e-3, "torch_adam": True}}
"""torch's own AdamW: DeepSpeed's would be compiled first, for minutes."""

DEEPSPEED: dict[str, tuple[int, dict[str, Any], list[str]]] = {
    "stage 1, bf16": (2, {"zero_optimization": {"stage": 1}}, []),
    "stage 1, fp32 accumulation": (
        2,
        {"zero_optimization": {"stage": 1}, "data_types": {"grad_accum_dtype": "fp32"}},
        [],
    ),
    "stage 2, bf16, three ranks": (3, {"zero_optimization": {"stage": 2}}, []),
    "stage 3, bf16, small parameters kept": (
        3,
        {"zero_optimization": {"stage": 3, "stage3_param_persistence_threshold": 40}},
        [],
    ),
    "stage 3, frozen embedding": (
        2,
        {"zero_optimization": {"stage": 3, "stage3_param_persistence_threshold": 0}},
        ["embedding"],
    ),
}

PLAIN: dict[str, Any] = {"mixed": None, "loaded": "fp32", "frozen": [], "strategy": "FULL_SHARD"}

TORCH: dict[str, dict[str, Any]] = {
    "ddp": {**PLAIN, "framework": "ddp", "world": 2},
    "fsdp1": {**PLAIN, "framework": "fsdp1", "world": 3},
    "fsdp1, mixed": {
        **PLAIN,
        "framework": "fsdp1",
        "world": 2,
        "mixed": "bf16",
        "strategy": "SHARD_GRAD_OP",
    },
    "fsdp2": {**PLAIN, "framework": "fsdp2", "world": 3, "frozen": ["head"]},
    "fsdp2, bf16": {**PLAIN, "framework": "fsdp2", "world": 2, "loaded": "bf16"},
}


def tensors(frozen: list[str]) -> list[Tensor]:
    from oracle.small_model import shapes

    return [Tensor(name, shape, not any(part in name for part in frozen)) for name, shape in shapes()]


def config_of(more: dict[str, Any]) -> dict[str, Any]:
    zero = {"reduce_bucket_size": 1000, "allgather_bucket_size": 1000, **more["zero_optimization"]}
    base = {"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 1, "optimizer": ADAM}
    return {**base, "bf16": {"enabled": True}, **more, "zero_optimization": zero}


def compared(found: Ledger, phase: str, rank: int, reported: dict[str, int]) -> dict[str, int]:
    """The terms a rank reports, as the ledger has them; frozen weights count as weights."""
    held = found.held(phase, rank)
    held["weights"] = held.get("weights", 0) + held.pop("frozen weights", 0)
    return {term: held.get(term, 0) for term in set(reported) | {"weights", "optimizer states"}}


Reports = dict[str, list[Any]]


def all_runs(script: str, cases: dict[str, tuple[int, dict[str, Any]]], folder: Path) -> Reports:
    """The reports of each case by rank; cases of as many ranks share their processes."""
    found: Reports = {}
    for world in sorted({ranks for ranks, _ in cases.values()}):
        here = folder / str(world)
        here.mkdir()
        together = {name: case for name, (ranks, case) in cases.items() if ranks == world}
        reports = run(script, together, world, here)
        found |= {name: [report[name] for report in reports] for name in together}
    return found


@pytest.fixture(scope="module")
def deepspeed_runs(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    before = set(SHARED_MEMORY.glob("deepspeed_*"))
    cases = {
        name: (world, {"config": config_of(more), "frozen": frozen})
        for name, (world, more, frozen) in DEEPSPEED.items()
    }
    found = all_runs("deepspeed_rank.py", cases, tmp_path_factory.mktemp("deepspeed"))
    assert set(SHARED_MEMORY.glob("deepspeed_*")) <= before
    return found


@pytest.fixture(scope="module")
def torch_runs(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    cases = {name: (case["world"], case) for name, case in TORCH.items()}
    return all_runs("torch_rank.py", cases, tmp_path_factory.mktemp("torch"))


@WITH_DEEPSPEED
@pytest.mark.parametrize("name", DEEPSPEED)
def test_deepspeed(name: str, deepspeed_runs: Reports):
    world, more, frozen = DEEPSPEED[name]
    found = ledger(deepspeed_plan({"config": config_of(more), "dp": world}), tensors(frozen))
    for rank, report in enumerate(deepspeed_runs[name]):
        for phase, terms in report.items():
            assert terms == compared(found, phase, rank, terms), f"{phase}, rank {rank}"


@WITH_TORCH
@pytest.mark.parametrize("name", TORCH)
def test_torch(name: str, torch_runs: Reports):
    case = TORCH[name]
    facts = plan(
        framework=case["framework"],
        strategy=case["strategy"] if case["framework"] == "fsdp1" else None,
        world=case["world"],
        shard=case["world"] if case["framework"] != "ddp" else 1,
        precision=case["mixed"] or "fp32",
        load_dtype=case["loaded"],
        optimizer="AdamW",
        options={"upcast": False},
    )
    found = ledger(facts, tensors(case["frozen"]))
    for rank, terms in enumerate(torch_runs[name]):
        assert terms == compared(found, "boundary", rank, terms), f"rank {rank}"
