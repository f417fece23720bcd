"""Totals by phase and place, and how entries present themselves."""

from __future__ import annotations

import pytest

from ledger.measured import plan
from shardlint.ledger import Ledger, ledger, ledger_to_data
from shardlint.ledger.entry import PHASES
from shardlint.plan import Tensor

SEVEN_B = 7_000_000_000
GIB = 1024**3


def seven(stage: int, **facts: object) -> Ledger:
    return ledger(
        plan(
            **{
                "framework": "deepspeed",
                "stage": stage,
                "params": SEVEN_B,
                "shard": 8,
                "precision": "bf16",
                "optimizer": "AdamW",
            }
            | facts
        )
    )


@pytest.mark.parametrize(
    ("stage", "steady", "boundary", "step"),
    [
        (0, 91.27, 104.31, 156.46),
        (1, 22.82, 24.45, 29.34),
        (2, 22.82, 24.45, 29.34),
        (3, 13.97, 13.97, 18.86),
    ],
)
def test_seven_billion_on_eight_ranks(stage: int, steady: float, boundary: float, step: float):
    """Stage 3 with its permanent bucket of 5e8 elements, 0.93 GiB."""
    found = seven(stage)
    assert round(found.total("steady") / GIB, 2) == steady
    assert round(found.total("boundary") / GIB, 2) == boundary
    assert round(found.total("step") / GIB, 2) == step


def test_fp32_accumulation_at_stage_1_is_held_for_good():
    found = seven(1, accum_dtype="fp32")
    assert round(found.total("steady") / GIB, 2) == 48.89
    assert round(found.total("boundary") / GIB, 2) == 61.93


def test_optimizer_offload_moves_eighteen_bytes():
    host = {stage: seven(stage, offload_optimizer="cpu").total("steady", "host") for stage in (2, 3)}
    assert host == {2: 18 * SEVEN_B // 8, 3: 18 * SEVEN_B // 8}
    assert seven(3, offload_optimizer="cpu", accum_dtype="fp32").total("steady", "host") == 20 * SEVEN_B // 8


def test_nothing_is_on_the_host_without_offload():
    for stage in range(4):
        assert all(seven(stage).total(phase, "host") == 0 for phase in PHASES)


def test_nvme_offload_is_a_place_of_its_own():
    found = seven(3, offload_optimizer="nvme")
    assert found.total("steady", "nvme") >= 12 * SEVEN_B // 8


def test_ratio_splits_states_between_device_and_host():
    found = seven(3, offload_optimizer="cpu", options={"offload_optimizer.ratio": 0.5})
    master = {place: found.held("steady", place=place).get("master weights") for place in ("device", "host")}
    assert master == {"device": 4 * SEVEN_B // 16, "host": 4 * SEVEN_B // 16}


def test_persistent_parameters_are_released_inside_the_step():
    shapes = [Tensor("wide", (1000, 200)), Tensor("small", (50,))]
    found = ledger(plan(framework="deepspeed", stage=3, shard=4, precision="bf16"), shapes)
    assert found.held("steady")["persistent parameters"] == 2 * 52
    assert "persistent parameters" not in found.held("step")
    assert "persistent parameters" not in found.held("load")


def test_gathered_parameters_are_bounded_without_shapes():
    gathered = next(e for e in seven(3).entries if e.term == "gathered parameters")
    assert (gathered.low, gathered.high, gathered.certainty) == (0, 2_000_000_000, "bound")
    assert "gathered parameters" not in seven(3, options={"stage3_max_reuse_distance": 0}).held("forward")


def test_ranks_differ_only_with_shapes():
    shapes = [Tensor("a", (101, 7)), Tensor("b", (9,))]
    found = ledger(plan(framework="deepspeed", stage=2, shard=4, precision="bf16"), shapes)
    assert len(found.by_rank("boundary")) == 4
    assert found.total("boundary") == max(found.by_rank("boundary"))
    assert len(seven(2).by_rank("boundary")) == 1


def test_replicas_of_a_shard_group_hold_the_same():
    shapes = [Tensor("a", (5, 7))]
    found = ledger(plan(framework="fsdp2", shard=2, replicate=2, world=4, precision="bf16"), shapes)
    assert found.held("boundary", rank=1) == found.held("boundary", rank=3)


def test_units_can_be_named():
    shapes = [Tensor("encoder.a", (8,)), Tensor("encoder.b", (8,)), Tensor("head", (8,))]
    facts = plan(framework="fsdp1", shard=4, world=4, precision="fp32", optimizer="AdamW")
    assert ledger(facts, shapes).held("forward")["gathered parameters"] == 4 * 24
    assert ledger(facts, shapes, ["encoder."]).held("forward")["gathered parameters"] == 4 * 8


def test_entries_as_data():
    data = ledger_to_data(seven(3))
    assert data["state_bytes_per_rank"] == 14_000_000_000
    weights = next(e for e in data["entries"] if e["term"] == "weights")  # pyright: ignore
    assert weights == {
        "term": "weights",
        "place": "device",
        "per": "rank",
        "phase": "steady",
        "phases": list(PHASES),
        "low": 1_750_000_000,
        "high": 1_750_000_000,
        "certainty": "exact",
        "formula": "2P/N",
        "states": True,
    }


def test_the_fullest_phase_is_named():
    assert seven(0).peak == "step"
    assert seven(1).peak == "backward"


def test_the_largest_parameter_of_the_catalog_sizes_the_offload_buffers():
    found = seven(2, offload_optimizer="cpu", options={"model.largest_param": 131_072_000})
    assert found.held("steady", place="device")["gradient staging"] == 2 * 131_072_000
    assert found.held("steady", place="host")["gradient staging"] == 2 * 131_072_000


def test_a_bucket_that_is_open_is_missing():
    found = seven(3, options={"reduce_bucket_size": None})
    bucket = next(e for e in found.entries if e.term == "reduce bucket")
    assert (bucket.certainty, bucket.high) == ("missing", None)
    assert found.states == seven(3).states
