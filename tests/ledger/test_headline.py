"""The headline: the 16-byte account, unpadded, gradients held."""

from __future__ import annotations

import pytest

from ledger.measured import plan
from shardlint.ledger import ledger
from shardlint.plan import ParameterGroup, Tensor, TrainingPlan
from shardlint.report import gib

SEVEN_B = 7_000_000_000


def deepspeed(stage: int, **facts: object) -> TrainingPlan:
    return plan(
        **{"framework": "deepspeed", "stage": stage, "params": SEVEN_B, "shard": 8, "precision": "bf16"}
        | facts
    )


@pytest.mark.parametrize(
    ("stage", "figure", "formula"),
    [(0, "104.31", "16P"), (1, "35.86", "4P + 12P/N"), (2, "24.45", "2P + 14P/N"), (3, "13.04", "16P/N")],
)
@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_the_four_figures(stage: int, figure: str, formula: str, precision: str):
    found = ledger(deepspeed(stage, precision=precision))
    assert found.states is not None
    assert gib(found.states) == f"{figure} GiB"
    assert found.formula == formula
    assert found.assumption == "mixed-precision Adam, 2 + 2 + 12 B a parameter"


@pytest.mark.parametrize(
    ("stage", "facts", "figure", "formula"),
    [
        (1, {"accum_dtype": "fp32"}, "61.93", "8P + 12P/N"),
        (1, {"accum_dtype": "fp32", "options": {"bf16.immediate_grad_update": True}}, "48.89", "6P + 12P/N"),
        (2, {"accum_dtype": "fp32"}, "26.08", "2P + 16P/N"),
        (3, {"accum_dtype": "fp32"}, "14.67", "18P/N"),
        (0, {"precision": "fp32"}, "104.31", "16P"),
        (1, {"precision": "fp32"}, "61.93", "8P + 12P/N"),
        (2, {"precision": "fp32"}, "39.12", "4P + 16P/N"),
        (3, {"precision": "fp32"}, "16.30", "20P/N"),
        (3, {"precision": "autocast"}, "16.30", "20P/N"),
        (2, {"optimizer": "SGD"}, "17.93", "2P + 6P/N"),
        (2, {"optimizer": "SGD", "options": {"optimizer.momentum": 0.9}}, "21.19", "2P + 10P/N"),
        (
            3,
            {"options": {"bf16_master_weights_and_grads": True, "bf16_optimizer_states": True}},
            "8.15",
            "10P/N",
        ),
        (2, {"offload_optimizer": "cpu"}, "13.04", "2P"),
        (1, {"offload_optimizer": "cpu"}, "26.08", "4P"),
        (3, {"offload_optimizer": "cpu"}, "1.63", "2P/N"),
        (3, {"offload_param": "cpu"}, "11.41", "14P/N"),
        (3, {"trainable": 7_000_000}, "1.64", "2F/N + 16P/N"),
        (2, {"tensor": 2, "shard": 4}, "17.93", "2P + 14P/N"),
    ],
)
def test_options_of_deepspeed_change_it(stage: int, facts: dict[str, object], figure: str, formula: str):
    found = ledger(deepspeed(stage, **facts))
    assert found.states is not None
    assert gib(found.states) == f"{figure} GiB"
    assert sorted(found.formula.split(" + ")) == sorted(formula.split(" + "))


@pytest.mark.parametrize(
    ("facts", "figure", "formula"),
    [
        ({"framework": "fsdp1", "precision": "bf16"}, "13.04", "16P/N"),
        ({"framework": "fsdp2", "precision": "bf16"}, "13.04", "16P/N"),
        ({"framework": "fsdp2", "precision": "fp32", "load_dtype": "bfloat16"}, "6.52", "8P/N"),
        ({"framework": "fsdp1", "precision": "bf16", "load_dtype": "bfloat16"}, "13.04", "16P/N"),
        ({"framework": "fsdp1", "strategy": "SHARD_GRAD_OP", "precision": "bf16"}, "13.04", "16P/N"),
        ({"framework": "fsdp1", "strategy": "NO_SHARD", "precision": "bf16"}, "104.31", "16P"),
        ({"framework": "ddp", "precision": "bf16"}, "104.31", "16P"),
        ({"framework": "ddp", "precision": "fp32", "load_dtype": "bf16"}, "52.15", "8P"),
        ({"framework": "single", "precision": "fp32"}, "104.31", "16P"),
        ({"framework": "fsdp2", "precision": "bf16", "offload_param": "cpu"}, "0.00", ""),
    ],
)
def test_torch(facts: dict[str, object], figure: str, formula: str):
    found = ledger(plan(**{"params": SEVEN_B, "shard": 8, "world": 8} | facts))
    assert found.states is not None
    assert gib(found.states) == f"{figure} GiB"
    assert found.formula == formula


def test_hybrid_sharding_divides_by_the_group_not_the_world():
    found = ledger(
        plan(
            framework="fsdp1",
            strategy="HYBRID_SHARD",
            params=SEVEN_B,
            world=64,
            shard=8,
            replicate=8,
            precision="bf16",
        )
    )
    assert found.states == 16 * SEVEN_B // 8


def test_shapes_do_not_change_the_headline():
    shapes = [Tensor("a", (7, 11)), Tensor("b", (13,)), Tensor("c", (5, 3), trainable=False)]
    for stage in range(4):
        counted = ledger(deepspeed(stage, params=105, trainable=90))
        shaped = ledger(deepspeed(stage), shapes)
        assert shaped.states == counted.states
        assert shaped.formula == counted.formula


def test_lora_on_a_quantised_base():
    """7 B parameters in 4 bit, 40 M trainable ones in fp32 under DDP: 0.5625 B + 16 B."""
    groups = (
        ParameterGroup("base", SEVEN_B, trainable=False, stored="nf4"),
        ParameterGroup("adapters", 40_000_000, stored="fp32"),
    )
    found = ledger(
        TrainingPlan(**_facts(framework="ddp", precision="bf16", load_dtype="bf16"), groups=groups)
    )
    assert found.states == SEVEN_B * 9 // 16 + 16 * 40_000_000


def _facts(**facts: object) -> dict[str, object]:
    from shardlint.plan import Fact

    return {name: Fact(value) for name, value in facts.items()}
