"""Bytes against what the GPU has: the figures of the sentences, and when each is said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks.linting import accelerate, deepspeed, facts, findings, fsdp, keys, only, told

MICRO = "train_micro_batch_size_per_gpu"
BF16 = {MICRO: 1, "bf16": {"enabled": True}}
ADAMW = {"optimizer": {"type": "AdamW", "params": {"lr": 1e-5}}}
GIB = 1024**3
NOT_BUDGETED, ABOVE, NEAR = "activations-not-budgeted", "state-above-capacity", "state-near-capacity"


def bytes_per_rank(stage: int, params: int, ranks: int) -> float:
    """The 16-byte account: 2 weights, 2 gradients, 12 optimizer and master, by what each stage divides."""
    divided = {0: (0, 16), 1: (12, 4), 2: (14, 2), 3: (16, 0)}[stage]
    return params * (divided[0] / ranks + divided[1])


@pytest.mark.parametrize(("stage", "figure"), [(1, "35.86"), (2, "24.45"), (3, "13.04")])
def test_the_sentence(stage: int, figure: str) -> None:
    files = {**deepspeed(stage, **BF16), **facts(model__params="7B", world_size=8)}
    found = only(files, NOT_BUDGETED)
    assert found.message == f"ZeRO-{stage} state is {figure} GiB/rank but activations not budgeted"
    assert (found.place.key, found.severity.word) == ("zero_optimization.stage", "info")


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 3),
    st.integers(10**8, 10**12),
    st.sampled_from([2, 3, 8, 16, 64, 96]),
    st.sampled_from(["bf16", "fp16"]),
)
def test_the_sentence_holds_for_any_plan(stage: int, params: int, ranks: int, precision: str) -> None:
    files = deepspeed(stage, **{MICRO: 1, precision: {"enabled": True}})
    found = only({**files, **facts(model__params=params, world_size=ranks)}, NOT_BUDGETED)
    expected = f"ZeRO-{stage} state is {bytes_per_rank(stage, params, ranks) / GIB:.2f} GiB/rank"
    assert found.message == f"{expected} but activations not budgeted"


@settings(max_examples=20, deadline=None)
@given(
    st.integers(10**8, 10**12), st.sampled_from([2, 8, 64]), st.sampled_from(["FULL_SHARD", "SHARD_GRAD_OP"])
)
def test_the_sentence_for_fsdp(params: int, ranks: int, strategy: str) -> None:
    files = fsdp(1, world=ranks, sharding_strategy=strategy)
    files["acc.yaml"] += "mixed_precision: bf16\n"
    found = only({**files, **facts(model__params=params)}, NOT_BUDGETED)
    expected = (
        f"FSDP {strategy} state is {16 * params / ranks / GIB:.2f} GiB/rank but activations not budgeted"
    )
    assert found.message == expected
    assert found.place.key == "fsdp_config.fsdp_sharding_strategy"


def test_states_that_are_all_off_the_card_are_said_to_be() -> None:
    off = {"stage": 3, "offload_optimizer": {"device": "cpu"}, "offload_param": {"device": "cpu"}}
    files = {**deepspeed(None, **BF16, zero_optimization=off), **facts(model__params="7B", world_size=8)}
    found = only(files, NOT_BUDGETED)
    assert found.message == (
        "ZeRO-3 state is 0.00 GiB/rank on the GPU (16.30 GiB/rank in host memory) but activations not "
        "budgeted"
    )
    assert (found.help or "").startswith(
        "Mixed-precision Adam, 2 + 2 + 12 B a parameter, all of it off the GPU."
    )


def test_fsdp_that_offloads_leaves_nothing_on_the_card() -> None:
    files = {**fsdp(1, offload_params=True), **facts(model__params="7B")}
    assert "state is 0.00 GiB/rank on the GPU (" in only(files, NOT_BUDGETED).message


def test_the_way_out_names_the_host_where_it_leaves_nothing_on_the_card() -> None:
    files = against(14, 8, offload_param={"device": "cpu"}, offload_optimizer={"device": "none"})
    assert "offload_optimizer leaves 0.00 GiB/rank on the GPU (" in (only(files, NEAR).help or "")


def test_a_budget_silences_it() -> None:
    budget = "\n[budget]\nactivations = '20GiB'\n"
    stated = facts(model__params="7B", world_size=8)
    stated["shardlint.toml"] += budget
    assert keys({**deepspeed(3, **BF16), **stated}, NOT_BUDGETED) == []


def against(gib: float, world: int, stage: int = 3, params: str = "7B", **section: object) -> dict[str, str]:
    body = {**BF16, **ADAMW, "zero_optimization": {"stage": stage, **section}}
    return {**deepspeed(None, **body), **facts(model__params=params, world_size=world, gpu__memory_gib=gib)}


@pytest.mark.parametrize(
    ("gib", "world", "rule", "level"),
    [
        (79.15, 1, ABOVE, "error"),
        (13.03, 8, ABOVE, "error"),
        (13.05, 8, NEAR, "warning"),
        (18.0, 8, NEAR, "warning"),
        (19.0, 8, None, None),
        (79.15, 8, None, None),
    ],
)
def test_state_against_capacity(gib: float, world: int, rule: str | None, level: str | None) -> None:
    found = [
        (f.rule, f.severity.word, f.place.key)
        for f in findings(against(gib, world))
        if f.rule in (ABOVE, NEAR, NOT_BUDGETED)
    ]
    alone = (NOT_BUDGETED, "info", "zero_optimization.stage")
    assert found == [(rule, level, "zero_optimization.stage") if rule else alone]


def test_an_optimizer_nobody_names_is_only_a_warning() -> None:
    files = {**deepspeed(3, **BF16), **facts(model__params="7B", world_size=1, gpu__memory_gib=79.15)}
    assert told(files, ABOVE) == [("ds.json: zero_optimization.stage", "warning")]


@pytest.mark.parametrize(("params", "level"), [("3B", "warning"), ("3.3B", "error")])
def test_a_total_from_the_table_is_certain_above_the_nominal_size(params: str, level: str) -> None:
    stated = facts(model__params=params, world_size=1, gpu__name="RTX 6000 Ada")
    files = {**deepspeed(3, **BF16, **ADAMW), **stated}
    assert told(files, ABOVE) == [("ds.json: zero_optimization.stage", level)]


@pytest.mark.parametrize(
    ("name", "level"),
    [("meta-llama/Llama-2-7b-hf", "error"), ("meta-llama/Llama-2-7b-chat-hf", "warning")],
)
def test_a_count_known_by_an_alias_is_no_certain_one(name: str, level: str) -> None:
    stated = facts(model__name=name, world_size=1, gpu__memory_gib=79.15)
    files = {**deepspeed(3, **BF16, **ADAMW), **stated}
    assert told(files, ABOVE) == [("ds.json: zero_optimization.stage", level)]


def test_the_error_names_state_capacity_and_a_way_out() -> None:
    found = only(against(79.15, 1), ABOVE)
    assert "104.31 GiB/rank" in found.message and "79.15 GiB" in found.message
    assert "DP 1 shards nothing" in found.message and found.fails_at == "first step"
    assert "offload_optimizer leaves" in (found.help or "")


def test_one_rank_is_told_once() -> None:
    assert keys(against(79.15, 1), "one-rank-sharding") == []


def test_hybrid_shard_points_to_full_shard() -> None:
    files = fsdp(1, world=64, sharding_strategy="HYBRID_SHARD")
    files["acc.yaml"] += "num_machines: 8\nmixed_precision: bf16\n"
    known = facts(
        model__params=70_550_000_000, gpus_per_node=8, gpu__memory_gib=79.15, code__optimizer="adamw"
    )
    found = only({**files, **known}, ABOVE)
    assert "131.41 GiB/rank" in found.message and "FULL_SHARD over all 64 ranks leaves 16.43" in (
        found.help or ""
    )


def test_offload_takes_the_states_off_the_card() -> None:
    assert keys(against(79.15, 1, offload_optimizer={"device": "cpu"}), ABOVE) == []


@pytest.mark.parametrize(("activations", "fires"), [("12GiB", True), ("8GiB", False)])
def test_budget(activations: str, fires: bool) -> None:
    files = against(24, 8)
    files["shardlint.toml"] += f'[budget]\nactivations = "{activations}"\nreserve = "1GiB"\n'
    found = findings(files, "budget-exceeded")
    assert [f.severity.word for f in found] == (["warning"] if fires else [])
    assert all("25.04" in f.message or "26.04" in f.message for f in found)


@pytest.mark.parametrize(
    ("stage", "accum", "figures"),
    [(1, "fp32", ("61.93", "35.86")), (3, "fp32", ("14.67", "13.04")), (1, "bf16", None), (1, None, None)],
)
def test_fp32_accumulation(stage: int, accum: str | None, figures: tuple[str, str] | None) -> None:
    data = {"data_types": {"grad_accum_dtype": accum}} if accum else {}
    files = {**deepspeed(stage, **BF16, **data), **facts(model__params="7B", world_size=8)}
    found = findings(files, "fp32-gradient-accumulation")
    assert [f.place.key for f in found] == (["data_types.grad_accum_dtype"] if figures else [])
    for finding in found:
        assert re.findall(r"\d+\.\d\d", finding.message) == list(figures or ())


@pytest.mark.parametrize(
    ("known", "wanted"),
    [
        ({}, ["model.params", "world_size"]),
        ({"world_size": 8}, ["model.params"]),
        ({"model__params": "7B"}, ["world_size"]),
        ({"model__params": "7B", "world_size": 8}, []),
    ],
)
def test_facts_missing(known: dict[str, object], wanted: list[str]) -> None:
    found = findings({**deepspeed(3, **BF16), **facts(**known)}, "facts-missing")
    assert [f.severity.word for f in found] == (["info"] if wanted else [])
    for finding in found:
        assert [name for name in ("model.params", "world_size") if name in finding.message] == wanted


def test_facts_missing_is_said_once_a_job_and_never_for_one_process() -> None:
    assert len(findings({**fsdp(1, world=8)}, "facts-missing")) == 1
    assert findings(accelerate("MULTI_GPU"), "facts-missing") == []


def test_no_memory_claim_without_facts() -> None:
    quiet = findings(deepspeed(3, **BF16))
    assert [f.rule for f in quiet if f.code[:3] == "MEM"] == ["facts-missing"]


def test_fp32_accumulation_says_what_it_costs() -> None:
    files = deepspeed(3, **BF16, data_types={"grad_accum_dtype": "fp32"})
    files |= facts(model__params="7B", world_size=8)
    said = only(files, "fp32-gradient-accumulation").message
    assert "FP32 gradients, 4 bytes a parameter instead of 2, sharded: " in said
