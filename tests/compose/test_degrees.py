"""World, batch DP, shard and replicate differ as soon as anything but data parallelism is on."""

from __future__ import annotations

import pytest

from shardlint.compose.degrees import degrees
from shardlint.compose.terms import Terms
from shardlint.plan import DERIVED, Fact


def terms(**values: object) -> Terms:
    return {name: Fact(value, "test") for name, value in values.items()}


@pytest.mark.parametrize(
    ("stated", "world", "batch_dp", "shard", "replicate"),
    [
        ({"framework": "deepspeed", "world": 8}, 8, 8, 8, 1),
        ({"framework": "deepspeed", "world": 8, "tensor": 2}, 8, 8, 4, 1),
        ({"framework": "deepspeed", "world": 8, "sequence": 2}, 8, 4, 8, 1),
        ({"framework": "deepspeed", "world": 8, "sequence": 2, "data": 2}, 8, 2, 8, 1),
        ({"framework": "deepspeed", "world": 8, "pipeline": 2}, 8, 4, 4, 1),
        ({"framework": "fsdp1", "world": 16, "strategy": "FULL_SHARD"}, 16, 16, 16, 1),
        ({"framework": "fsdp1", "world": 16, "nodes": 2, "strategy": "HYBRID_SHARD"}, 16, 16, 8, 2),
        ({"framework": "fsdp1", "world": 16, "strategy": "NO_SHARD"}, 16, 16, 1, 16),
        ({"framework": "fsdp2", "world": 8, "shard": 4, "replicate": 2}, 8, 8, 4, 2),
        ({"framework": "fsdp2", "world": 8, "shard": 4, "context": 2}, 8, 4, 8, 1),
        ({"framework": "fsdp2", "world": 8, "tensor": 2}, 8, 4, 4, 1),
        ({"framework": "ddp", "world": 8}, 8, 8, 1, 8),
        ({"framework": "single", "world": 8}, 1, 1, 1, 1),
        ({"framework": "deepspeed", "nodes": 2, "gpus_per_node": 4}, 8, 8, 8, 1),
    ],
)
def test_each_degree_is_divided_by_what_its_framework_divides_by(
    stated: dict[str, object], world: int, batch_dp: int, shard: int, replicate: int
) -> None:
    found = degrees(terms(**stated))
    assert (found.world.value, found.batch_dp.value, found.shard.value, found.replicate.value) == (
        world,
        batch_dp,
        shard,
        replicate,
    )


def test_the_batch_triangle_gives_the_dp_the_file_requires_when_nothing_states_it() -> None:
    found = degrees(terms(framework="deepspeed", train_batch=256, micro_batch=4, accumulation=8))
    assert found.world.value == 8
    assert found.world.standing == DERIVED
    assert "DP 8 = 256 / (4 x 8)" in found.world.origin


def test_a_stated_world_wins_over_the_one_the_batch_requires() -> None:
    found = degrees(terms(framework="deepspeed", world=4, train_batch=256, micro_batch=4, accumulation=8))
    assert found.batch_dp.value == 4
    assert found.required_dp.value == 8


@pytest.mark.parametrize("value", [True, 0, -1, 2.5, "8", None])
def test_what_is_no_count_of_ranks_is_unknown(value: object) -> None:
    assert not degrees(terms(framework="deepspeed", world=value)).world.known


def test_a_hybrid_shard_group_of_unknown_size_is_never_guessed() -> None:
    found = degrees(terms(framework="fsdp1", world=16, strategy="HYBRID_SHARD"))
    assert not found.shard.known
    assert "gpus_per_node" in found.shard.origin


@pytest.mark.parametrize("name", ["tensor", "sequence", "context"])
def test_what_is_divided_by_an_open_degree_is_not_known(name: str) -> None:
    stated = terms(framework="deepspeed", world=8)
    found = degrees({**stated, name: Fact(None, "filled in by another program", "assumed")})
    assert found.world.value == 8
    assert not found.batch_dp.known
    assert not found.shard.known


def test_how_megatron_shards_is_not_known() -> None:
    found = degrees(terms(framework="megatron", world=12, tensor=2))
    assert not found.shard.known
    assert (found.world.value, found.replicate.value) == (12, 6)


def test_a_world_that_does_not_divide_gives_no_shard_degree() -> None:
    assert not degrees(terms(framework="deepspeed", world=7, tensor=2)).shard.known


@pytest.mark.parametrize(
    "split",
    [{"sequence": 2}, {"tensor": 2}, {"pipeline": 2}, {"framework": "fsdp1", "strategy": "HYBRID_SHARD"}],
)
def test_what_follows_from_a_contradicted_world_is_not_certain(split: dict[str, object]) -> None:
    stated = terms(**{"framework": "deepspeed", "nodes": 2, **split})
    stated["world"] = Fact[object](16, "accelerate.yaml:8", against=(Fact(8, "hostfile:1"),))
    found = degrees(stated)
    assert found.batch_dp.known
    assert not found.batch_dp.certain
    assert found.shard.known
    assert not found.shard.certain
