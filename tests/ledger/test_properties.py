"""What holds for every plan: monotone in parameters and shards, padded never below unpadded."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.measured import plan
from shardlint.ledger import Ledger, ledger
from shardlint.ledger.entry import PHASES
from shardlint.plan import Tensor

COUNTS = st.integers(min_value=1, max_value=10**12)
DEGREES = st.integers(min_value=1, max_value=4096)
STAGES = st.sampled_from([0, 1, 2, 3])
PRECISIONS = st.sampled_from(["bf16", "fp16", "fp32", "autocast"])
ACCUMULATION = st.sampled_from([None, "fp32", "bf16"])
OPTIMIZERS = st.sampled_from(["AdamW", "SGD", "Lion", "Adagrad", "adamw_8bit", "Adafactor", "Muon"])
ELEMENTWISE = st.sampled_from(["AdamW", "SGD", "Lion", "Adagrad", "adamw_8bit"])
FRAMEWORKS = st.sampled_from(["fsdp1", "fsdp2", "ddp"])
SHAPES = st.lists(
    st.tuples(st.lists(st.integers(1, 40), min_size=1, max_size=3), st.booleans()), min_size=1, max_size=12
)


def deepspeed(stage: int, params: int, shard: int, **facts: object) -> Ledger:
    return ledger(plan(framework="deepspeed", stage=stage, params=params, shard=shard, **facts))


def states(found: Ledger) -> int:
    assert found.states is not None
    return found.states


@given(STAGES, COUNTS, DEGREES, PRECISIONS, ACCUMULATION, OPTIMIZERS)
def test_more_shards_never_raise_the_states(
    stage: int, params: int, shard: int, precision: str, accum: str | None, optimizer: str
):
    facts = {"precision": precision, "accum_dtype": accum, "optimizer": optimizer}
    fewer, more = (deepspeed(stage, params, n, **facts) for n in (shard, shard + 1))
    assert states(more) <= states(fewer)
    assert more.total("steady") <= fewer.total("steady")
    assert more.total("boundary") <= fewer.total("boundary")


@given(COUNTS, DEGREES, st.sampled_from(["bf16", "fp16"]), st.sampled_from([None, "fp32"]), ELEMENTWISE)
def test_a_higher_stage_never_raises_the_states(
    params: int, shard: int, precision: str, accum: str | None, optimizer: str
):
    """At the same accumulation dtype; stage 0 has no other than that of the model. Factored optimizers
    apart: they lose their factoring with stage 1."""
    facts = {"precision": precision, "accum_dtype": accum, "optimizer": optimizer}
    lowest = 0 if accum is None else 1
    found = [states(deepspeed(stage, params, shard, **facts)) for stage in range(lowest, 4)]
    assert found == sorted(found, reverse=True)


@given(COUNTS, st.integers(min_value=2, max_value=4096))
def test_in_fp32_a_higher_stage_never_raises_the_states_of_shards(params: int, shard: int):
    """Stages 1 to 3 keep a second fp32 copy of their slice, so that on one rank stage 0 holds less."""
    found = [states(deepspeed(stage, params, shard, precision="fp32")) for stage in range(1, 4)]
    assert found == sorted(found, reverse=True)


@given(STAGES, COUNTS, COUNTS, DEGREES, PRECISIONS, OPTIMIZERS)
def test_more_parameters_never_lower_the_states(
    stage: int, params: int, extra: int, shard: int, precision: str, optimizer: str
):
    facts = {"precision": precision, "optimizer": optimizer}
    smaller, larger = (deepspeed(stage, n, shard, **facts) for n in (params, params + extra))
    assert states(smaller) <= states(larger)
    for phase in PHASES:
        assert smaller.total(phase) <= larger.total(phase)


@given(FRAMEWORKS, COUNTS, DEGREES, st.sampled_from(["bf16", "fp32"]), OPTIMIZERS)
def test_torch_is_monotone_too(framework: str, params: int, shard: int, precision: str, optimizer: str):
    facts = {"framework": framework, "precision": precision, "optimizer": optimizer}
    fewer, more = (ledger(plan(params=params, shard=n, **facts)) for n in (shard, shard + 1))
    larger = ledger(plan(params=params + 1, shard=shard, **facts))
    assert states(more) <= states(fewer) <= states(larger)


@settings(max_examples=60)
@given(SHAPES, st.integers(1, 9), STAGES, st.sampled_from(["bf16", "fp32"]), st.booleans())
def test_padding_only_adds(
    rows: list[tuple[list[int], bool]], shard: int, stage: int, precision: str, align: bool
):
    """The fullest rank holds at least P/N of every term of the account, and ranks together at least P."""
    shapes = [Tensor(f"t{i}", tuple(shape), moves or i == 0) for i, (shape, moves) in enumerate(rows)]
    options = {"parameter_alignment": align}
    facts = {"framework": "deepspeed", "stage": stage, "shard": shard, "precision": precision}
    exact = ledger(plan(options=options, optimizer="AdamW", **facts), shapes)
    moving = sum(t.numel for t in shapes if t.trainable)
    whole = ledger(
        plan(
            params=sum(t.numel for t in shapes), trainable=moving, options=options, optimizer="AdamW", **facts
        )
    )
    assert exact.states == whole.states
    for term in ("weights", "master weights", "optimizer states", "gradients"):
        assert exact.held("boundary").get(term, 0) >= whole.held("boundary").get(term, 0)


@settings(max_examples=60)
@given(SHAPES, st.integers(1, 9), st.sampled_from(["fsdp1", "fsdp2"]), st.booleans())
def test_ranks_together_hold_every_state_once(
    rows: list[tuple[list[int], bool]], shard: int, framework: str, mixed: bool
):
    """FSDP pads parameters, not optimizer states: those of all ranks add up to 8 B an element."""
    shapes = [Tensor(f"t{i}", tuple(shape), moves) for i, (shape, moves) in enumerate(rows)]
    precision = "bf16" if mixed else "fp32"
    found = ledger(
        plan(framework=framework, shard=shard, world=shard, precision=precision, optimizer="AdamW"), shapes
    )
    held = sum(found.held("boundary", rank).get("optimizer states", 0) for rank in range(shard))
    assert held == 8 * sum(t.numel for t in shapes if t.trainable)


@given(st.dictionaries(st.sampled_from(["stage", "params", "shard", "accumulation", "world"]), st.integers()))
def test_no_combination_of_numbers_raises(facts: dict[str, int]):
    for framework in ("deepspeed", "fsdp1", "fsdp2", "ddp", "single", "megatron"):
        found = ledger(plan(framework=framework, precision="bf16", **facts))
        assert found.states is None or found.states >= 0
