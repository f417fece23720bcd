"""What is not known is not guessed: no headline, and the reason for it."""

from __future__ import annotations

import pytest

from ledger.measured import plan
from shardlint.ledger import ledger
from shardlint.ledger.build import DEGREES
from shardlint.plan import ASSUMED, Fact, ParameterGroup, TrainingPlan

COMPLETE = {"framework": "deepspeed", "stage": 2, "params": 1000, "shard": 4, "precision": "bf16"}


@pytest.mark.parametrize(
    ("lacking", "reason"),
    [
        ("framework", "framework"),
        ("stage", "stage"),
        ("params", "number of parameters"),
        ("shard", "number of ranks"),
    ],
)
def test_a_missing_fact_leaves_the_headline_unknown(lacking: str, reason: str):
    found = ledger(plan(**{name: value for name, value in COMPLETE.items() if name != lacking}))
    assert found.states is None
    assert not found.known
    assert reason in found.why


def test_unknown_dp_gives_a_table():
    found = ledger(plan(**COMPLETE | {"shard": None}))
    assert found.states is None
    assert [row.dp for row in found.figures] == list(DEGREES)
    assert {row.dp: row.states for row in found.figures}[4] == ledger(plan(**COMPLETE)).states


def test_a_known_dp_needs_no_table():
    assert ledger(plan(**COMPLETE)).figures == ()


@pytest.mark.parametrize(
    "facts",
    [
        {"framework": "deepspeed", "stage": 0},
        {"framework": "ddp"},
        {"framework": "fsdp1", "strategy": "NO_SHARD"},
    ],
)
def test_what_is_not_sharded_needs_no_degree(facts: dict[str, object]):
    assert ledger(plan(params=1000, precision="bf16", **facts)).states == 16_000


def test_an_empty_plan_is_no_error():
    found = ledger(TrainingPlan())
    assert found.states is None
    assert found.entries == ()
    assert found.total() == 0


def test_megatron_is_not_modelled():
    found = ledger(plan(**COMPLETE | {"framework": "megatron"}))
    assert found.states is None
    assert "megatron" in found.why


def test_an_unknown_optimizer_is_said():
    found = ledger(plan(**COMPLETE | {"optimizer": "Blorp"}))
    assert found.states is None
    assert "Blorp" in found.why
    assert [e.certainty for e in found.entries if e.term == "optimizer states"] == ["missing"]
    assert found.held("steady")["master weights"] == 1000


def test_assumptions_are_listed():
    assert ledger(plan(**COMPLETE | {"optimizer": "AdamW"})).assumes == ()
    assert any("AdamW is assumed" in a for a in ledger(plan(**COMPLETE)).assumes)
    silent = ledger(plan(**COMPLETE | {"precision": None, "optimizer": "AdamW"}))
    assert any("precision" in a for a in silent.assumes)
    assert silent.states == ledger(plan(**COMPLETE)).states


def test_what_is_left_out_is_always_named():
    for facts in (COMPLETE, COMPLETE | {"shard": None}):
        missing = ledger(plan(**facts)).missing
        assert "activations" in missing
        assert "gathered parameters" in missing


@pytest.mark.parametrize("value", [0, -3])
def test_odd_degrees_do_not_raise(value: int):
    ledger(plan(**COMPLETE | {"shard": value}))
    ledger(plan(**COMPLETE | {"params": value}))
    ledger(plan(**COMPLETE | {"tensor": value}))


def test_adapters_of_unknown_size_are_said_to_be_left_out():
    base = (ParameterGroup("base", 1000, trainable=False),)
    found = ledger(plan(**COMPLETE | {"params": None})._replace(groups=base))
    assert found.states == 2000
    assert any("not counted" in a for a in found.assumes)


def test_an_assumed_stage_is_said_to_be_assumed():
    assumed = plan(**COMPLETE)._replace(stage=Fact(0, "zero_optimisation is no key", ASSUMED))
    said = "the ZeRO stage is assumed: zero_optimisation is no key"
    assert said in ledger(assumed).assumes
