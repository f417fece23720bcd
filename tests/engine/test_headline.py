"""The sentence the product exists for, on drawn parameters, ranks, stages and precisions.

The expected figures are worked out here from the published accounting, in exact fractions, and not by
the ledger: mixed precision 2 + 2 + 12 bytes a parameter, ZeRO's own fp32 duplicate, FSDP's 4 + 4 + 8.
"""

from __future__ import annotations

import json
import tempfile
from fractions import Fraction
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from shardlint.engine import Options, lint
from shardlint.report import Finding

GIB = 1024**3
SENTENCE = "{label} state is {figure:.2f} GiB/rank but activations not budgeted"

counts = st.integers(min_value=1_000_000, max_value=400_000_000_000)
ranks = st.integers(min_value=1, max_value=4096)


def said(name: str, text: str, params: int, world: int) -> list[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        sets = (f"model.params={params}", f"world_size={world}")
        report = lint([path], Options(root=Path(folder), overlay={path: text}, sets=sets))
    return [f for f in report.findings if f.rule == "activations-not-budgeted"]


def bytes_of_zero(stage: int, precision: str, params: int, world: int) -> Fraction:
    """Bytes a rank with gradients held: weights, gradients and 12 bytes of FP32 states, split by stage."""
    weights, gradients = (4, 4) if precision == "fp32" else (2, 2)
    states = 12 if precision != "fp32" or stage > 0 else 8
    split = [1, 1, 1, 1]
    if stage >= 1:
        split[2] = world
    if stage >= 2 or (stage == 1 and precision == "fp32"):
        split[1] = world
    if stage >= 3:
        split[0] = world
    return params * (Fraction(weights, split[0]) + Fraction(gradients, split[1]) + Fraction(states, split[2]))


@settings(max_examples=60, deadline=None)
@given(
    params=counts,
    world=ranks,
    stage=st.sampled_from([0, 1, 2, 3]),
    precision=st.sampled_from(["bf16", "fp16"]),
)
@example(params=7_000_000_000, world=8, stage=3, precision="bf16")
@example(params=7_000_000_000, world=8, stage=1, precision="fp16")
def test_zero_says_its_state_and_that_activations_are_not_budgeted(
    params: int, world: int, stage: int, precision: str
) -> None:
    config = {
        "train_micro_batch_size_per_gpu": 1,
        precision: {"enabled": True},
        "zero_optimization": {"stage": stage},
    }
    text = json.dumps(config, indent=2)
    findings = said("ds_config.json", text, params, world)
    figure = float(bytes_of_zero(stage, precision, params, world)) / GIB
    assert [f.message for f in findings] == [SENTENCE.format(label=f"ZeRO-{stage}", figure=figure)]
    place = findings[0].place
    assert place.key == "zero_optimization.stage"
    assert text[place.span.start : place.span.end] == str(stage)


def test_the_sentence_of_the_mission() -> None:
    text = json.dumps({"train_batch_size": 8, "bf16": {"enabled": True}, "zero_optimization": {"stage": 3}})
    assert [f.message for f in said("ds_config.json", text, 7_000_000_000, 8)] == [
        "ZeRO-3 state is 13.04 GiB/rank but activations not budgeted"
    ]


@settings(max_examples=40, deadline=None)
@given(params=counts, world=ranks.filter(lambda n: n > 1), version=st.sampled_from([1, 2]))
@example(params=7_000_000_000, world=8, version=1)
def test_fsdp_says_it_too_with_its_own_accounting(params: int, world: int, version: int) -> None:
    strategy = "fsdp_sharding_strategy: FULL_SHARD" if version == 1 else "fsdp_reshard_after_forward: true"
    text = (
        "compute_environment: LOCAL_MACHINE\n"
        "distributed_type: FSDP\n"
        "mixed_precision: bf16\n"
        f"num_processes: {world}\n"
        "fsdp_config:\n"
        f"  fsdp_version: {version}\n"
        f"  {strategy}\n"
        "  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n"
    )
    findings = said("accelerate.yaml", text, params, world)
    figure = float(Fraction(16 * params, world)) / GIB
    label = "FSDP FULL_SHARD" if version == 1 else "FSDP2"
    assert [f.message for f in findings] == [SENTENCE.format(label=label, figure=figure)]
    span = findings[0].place.span
    assert text[span.start : span.end] in ("FULL_SHARD", "true")
