"""Every optimizer of the catalog works on counts alone, with the bytes the catalog gives."""

from __future__ import annotations

import pytest

from ledger.measured import plan
from shardlint.catalog.optimizers import Optimizer, all_optimizers
from shardlint.ledger import ledger

COUNTED = [row for row in all_optimizers() if row.state_fp32 is not None]
UNCOUNTED = [row for row in all_optimizers() if row.state_fp32 is None]
P = 1_048_576
EIGHT_RANKS = {"params": P, "shard": 8, "precision": "bf16"}


def state_bytes(found: object, place: str) -> int:
    from shardlint.ledger import Ledger

    assert isinstance(found, Ledger)
    return found.held("steady", place=place).get("optimizer states", 0)


@pytest.mark.parametrize("row", COUNTED, ids=lambda row: row.name)
def test_ddp_holds_what_the_catalog_says(row: Optimizer):
    found = ledger(plan(framework="ddp", optimizer=row.name, **EIGHT_RANKS))
    assert row.state_fp32 is not None
    assert found.states is not None
    assert state_bytes(found, row.place) == pytest.approx(row.state_fp32 * P, abs=1)


@pytest.mark.parametrize("row", [row for row in COUNTED if row.name != "Muon"], ids=lambda row: row.name)
def test_zero_divides_it(row: Optimizer):
    found = ledger(plan(framework="deepspeed", stage=2, optimizer=row.name, **EIGHT_RANKS))
    flat = row.flat if row.flat is not None else row.state_fp32
    assert flat is not None
    assert found.states is not None
    assert state_bytes(found, row.place) == pytest.approx(flat * P / 8, abs=1)


@pytest.mark.parametrize("row", UNCOUNTED, ids=lambda row: row.name)
def test_what_nobody_counted_is_missing(row: Optimizer):
    for framework in ("ddp", "deepspeed"):
        found = ledger(plan(framework=framework, stage=2, optimizer=row.name, **EIGHT_RANKS))
        assert found.states is None
        assert row.name in found.why


def test_flat_partitions_undo_factoring():
    factored = ledger(plan(framework="ddp", optimizer="adafactor", **EIGHT_RANKS))
    flat = ledger(plan(framework="deepspeed", stage=2, optimizer="adafactor", **EIGHT_RANKS))
    assert state_bytes(factored, "device") < P // 64
    assert state_bytes(flat, "device") == 4 * P // 8
    assert [e.certainty for e in factored.entries if e.term == "optimizer states"] == ["estimate"]


def test_states_the_optimizer_keeps_on_the_host_are_not_in_the_headline():
    found = ledger(plan(framework="ddp", optimizer="grokadamw", **EIGHT_RANKS))
    assert found.states == 8 * P
    assert state_bytes(found, "host") == 12 * P


@pytest.mark.parametrize("name", ["lomo", "adalomo", "galore_adamw_layerwise"])
def test_optimizers_that_use_gradients_up_hold_none(name: str):
    found = ledger(plan(framework="ddp", optimizer=name, **EIGHT_RANKS))
    assert "gradients" not in found.held("boundary")


@pytest.mark.parametrize(
    ("options", "size"),
    [({}, 0), ({"momentum": 0.9}, 4), ({"optimizer.momentum": 0}, 0), ({"momentum": "auto"}, 0)],
)
def test_momentum(options: dict[str, object], size: int):
    found = ledger(plan(framework="ddp", optimizer="SGD", options=options, **EIGHT_RANKS))
    assert state_bytes(found, "device") == size * P


def test_amsgrad_adds_a_tensor():
    found = ledger(plan(framework="ddp", optimizer="AdamW", options={"amsgrad": True}, **EIGHT_RANKS))
    assert state_bytes(found, "device") == 12 * P


def test_cpu_lion_allocates_a_second_moment():
    facts = {"framework": "deepspeed", "stage": 2, "optimizer": "Lion", **EIGHT_RANKS}
    assert state_bytes(ledger(plan(**facts)), "device") == 4 * P // 8
    assert state_bytes(ledger(plan(offload_optimizer="cpu", **facts)), "host") == 8 * P // 8
