"""Sizes in elements: in bytes they are what the ledger has of the same keys."""

from __future__ import annotations

import pytest

from ledger.measured import plan
from shardlint.ledger import ledger
from shardlint.ledger.deepspeed.sizes import SIZES, size_of_key
from shardlint.ledger.terms import BUCKET
from shardlint.plan import TrainingPlan

ELEMENTS = 300_000_000


def deepspeed(stage: int, precision: str | None = "bf16", **facts: object) -> TrainingPlan:
    stated = {"framework": "deepspeed", "stage": stage, "params": 7_000_000_000, "shard": 8}
    return plan(**stated | ({"precision": precision} if precision else {}) | facts)


@pytest.mark.parametrize("stage", [1, 2, 3])
@pytest.mark.parametrize("precision", ["bf16", "fp16", "fp32", "autocast"])
@pytest.mark.parametrize("overlap", [False, True])
@pytest.mark.parametrize("accum", [None, "fp32"])
def test_a_reduce_bucket_is_that_of_the_ledger(
    stage: int, precision: str, overlap: bool, accum: str | None
) -> None:
    options = {"reduce_bucket_size": ELEMENTS, "overlap_comm": overlap}
    facts = {"accum_dtype": accum} if accum else {}
    found = deepspeed(stage, precision, options=options, **facts)
    size = size_of_key(found, "reduce_bucket_size")
    buckets = [entry.high for entry in ledger(found).entries if entry.term == BUCKET]
    if (stage, precision, accum) == (1, "bf16", "fp32"):
        assert size is None, "its optimizer reduces in steps of its own"
        return
    assert size is not None
    assert size.unit * size.copies * ELEMENTS == buckets[0]


@pytest.mark.parametrize(
    ("name", "stages"),
    [
        ("reduce_bucket_size", {1, 2, 3}),
        ("allgather_bucket_size", {1, 2}),
        ("sub_group_size", {3}),
        ("stage3_prefetch_bucket_size", {3}),
        ("stage3_max_live_parameters", {3}),
        ("stage3_max_reuse_distance", set[int]()),
    ],
)
def test_a_stage_that_does_not_read_a_key_has_no_size_for_it(name: str, stages: set[int]) -> None:
    assert {stage for stage in range(4) if size_of_key(deepspeed(stage), name) is not None} == stages


@pytest.mark.parametrize("stage", [1, 2, 3])
def test_without_contiguous_gradients_there_is_no_bucket(stage: int) -> None:
    found = deepspeed(stage, options={"contiguous_gradients": False})
    assert size_of_key(found, "reduce_bucket_size") is None


@pytest.mark.parametrize(
    ("precision", "dtype", "unit"),
    [("bf16", "bf16", 2), ("fp16", "fp16", 2), ("fp32", "fp32", 4), (None, "16-bit", 2)],
)
def test_the_dtype_is_that_of_the_weights(precision: str | None, dtype: str, unit: int) -> None:
    size = size_of_key(deepspeed(2, precision), "allgather_bucket_size")
    assert size is not None
    assert (size.dtype, size.unit, size.copies, size.limit) == (dtype, unit, 1, False)


def test_a_sub_group_is_flattened_and_cast_on_the_gpu_only() -> None:
    size = size_of_key(deepspeed(3), "sub_group_size")
    assert size is not None
    assert (size.dtype, size.unit, size.limit) == ("bf16 + fp32", 6, True)
    assert size_of_key(deepspeed(3, offload_optimizer="cpu"), "sub_group_size") is None


@pytest.mark.parametrize(
    ("name", "facts", "there"),
    [
        ("sub_group_size", {}, 875_000_000),
        ("sub_group_size", {"shard": None}, 0),
        ("stage3_max_live_parameters", {}, 7_000_000_000),
        ("stage3_max_live_parameters", {"params": None}, 0),
    ],
)
def test_a_limit_ends_where_the_model_does(name: str, facts: dict[str, object], there: int) -> None:
    size = size_of_key(deepspeed(3, **facts), name)
    assert size is not None
    assert (size.limit, size.there) == (True, there)


def test_every_key_is_one_of_zero_optimization() -> None:
    from shardlint.schema import table

    assert all(table("deepspeed").find(f"zero_optimization.{name}") for name in SIZES)
