"""The batch triangle: DeepSpeed's own arithmetic, and the neighbours that must stay silent."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks.linting import accelerate, deepspeed, facts, findings, keys, only, told

TRAIN, MICRO, STEPS = "train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"
TRIANGLE, DERIVED = "batch-triangle-mismatch", "indivisible-train-batch"
READ_BY_DEEPSPEED = {"consumer": "deepspeed"}
sizes = st.integers(1, 40)


def refused_by_deepspeed(batch: int | None, micro: int | None, steps: int | None, dp: int) -> bool:
    """DeepSpeed 0.19.8 `runtime/config.py`: derive what is absent by integer division, then multiply back."""
    if batch is not None and micro is not None and steps is None:
        steps = batch // micro // dp
    elif batch is not None and micro is None and steps is not None:
        micro = batch // dp // steps
    elif batch is not None and micro is None:
        steps, micro = 1, batch // dp
    elif batch is None and micro is not None:
        steps = steps or 1
        batch = micro * steps * dp
    assert batch is not None and micro is not None and steps is not None
    return min(batch, micro, steps) < 1 or batch != micro * steps * dp


@settings(max_examples=60, deadline=None)
@given(st.none() | st.integers(1, 400), st.none() | sizes, st.none() | sizes, sizes)
def test_fires_exactly_when_deepspeed_refuses(
    batch: int | None, micro: int | None, steps: int | None, dp: int
) -> None:
    if batch is None and micro is None:
        return
    given_keys = {TRAIN: batch, MICRO: micro, STEPS: steps}
    stated = {name: value for name, value in given_keys.items() if value is not None}
    found = findings({**deepspeed(**stated), **facts(world_size=dp, **READ_BY_DEEPSPEED)})
    errors = [f for f in found if f.rule in (TRIANGLE, DERIVED)]
    assert bool(errors) == refused_by_deepspeed(batch, micro, steps, dp)
    assert all(f.severity.word == "error" and f.place.key == TRAIN for f in errors)


def test_the_message_names_the_four_numbers() -> None:
    bad = {**deepspeed(**{TRAIN: 256, MICRO: 4, STEPS: 8}), **facts(world_size=16)}
    assert only(bad, TRIANGLE).message == (
        "train_batch_size 256 is not micro_batch 4 x accumulation 8 x DP 16 = 512; DeepSpeed refuses to start"
    )


def test_without_a_world_only_an_impossible_batch_fires() -> None:
    assert told(deepspeed(**{TRAIN: 100, MICRO: 3, STEPS: 8}), TRIANGLE) == [
        ("ds.json: train_batch_size", "error")
    ]
    assert told(deepspeed(**{TRAIN: 96, MICRO: 3, STEPS: 8}), TRIANGLE) == []


def test_program_that_builds_its_own_config_makes_it_a_warning() -> None:
    custom = {**deepspeed(**{TRAIN: 100, MICRO: 3, STEPS: 8}), **facts(consumer="custom")}
    assert told(custom, TRIANGLE) == [("ds.json: train_batch_size", "warning")]


def test_tensor_parallelism_does_not_divide_the_batch() -> None:
    triangle = {TRAIN: 32, MICRO: 1, STEPS: 4}
    autotp = deepspeed(**triangle, tensor_parallel={"autotp_size": 2})
    assert keys({**autotp, **facts(world_size=8)}, TRIANGLE) == []
    assert keys({**autotp, **facts(world_size=16)}, TRIANGLE) == ["ds.json: train_batch_size"]


def test_sequence_parallelism_divides_the_batch() -> None:
    ulysses = deepspeed(**{TRAIN: 16, MICRO: 1, STEPS: 4}, sequence_parallel_size=2)
    assert keys({**ulysses, **facts(world_size=8)}, TRIANGLE) == []
    assert keys({**ulysses, **facts(world_size=4)}, TRIANGLE) == ["ds.json: train_batch_size"]


def test_a_stated_data_parallel_degree_is_the_divisor() -> None:
    mesh = deepspeed(**{TRAIN: 16, MICRO: 2, STEPS: 2}, sequence_parallel_size=2, data_parallel_size=4)
    assert keys({**mesh, **facts(world_size=8)}, TRIANGLE) == []
    assert keys({**mesh, **facts(world_size=16)}, TRIANGLE) == []
    alone = deepspeed(**{TRAIN: 16, MICRO: 2, STEPS: 2}, data_parallel_size=4)
    assert keys({**alone, **facts(world_size=8)}, TRIANGLE) == ["ds.json: train_batch_size"]


@pytest.mark.parametrize(("data", "level"), [(8, "error"), (2, "warning"), (4, None)])
def test_a_mesh_beyond_the_ranks_is_refused(data: int, level: str | None) -> None:
    mesh = deepspeed(**{MICRO: 2}, sequence_parallel_size=2, data_parallel_size=data)
    known = facts(world_size=8, versions__deepspeed="0.19.8", **READ_BY_DEEPSPEED)
    found = told({**mesh, **known}, "fractional-batch")
    assert found == ([("ds.json: sequence_parallel_size", level)] if level else [])


@pytest.mark.parametrize(
    ("batch", "level"),
    [({TRAIN: 16, MICRO: 6}, "error"), ({TRAIN: 16, MICRO: 2, STEPS: 3}, "warning"), ({MICRO: 2}, "warning")],
)
def test_groups_that_are_no_whole_number(batch: dict[str, int], level: str) -> None:
    """DeepSpeed divides 8 ranks by 3 and goes on with 2.67 groups, until the batch does not come out."""
    known = facts(world_size=8, versions__deepspeed="0.19.8", **READ_BY_DEEPSPEED)
    found = told({**deepspeed(**batch, sequence_parallel_size=3), **known}, "fractional-batch")
    assert found == [("ds.json: sequence_parallel_size", level)]


@pytest.mark.parametrize("open_value", ["auto", "${MICRO}", "MICRO_BATCH"])
def test_open_values_are_never_wrong(open_value: str) -> None:
    for name in (TRAIN, MICRO, STEPS):
        triangle = {TRAIN: 100, MICRO: 3, STEPS: 8, name: open_value}
        assert [
            f for f in findings({**deepspeed(**triangle), **facts(world_size=7)}) if f.code[:3] == "BAT"
        ] == []


def test_accumulation_of_zero_says_what_would_do() -> None:
    found = only({**deepspeed(**{TRAIN: 8, MICRO: 2}), **facts(world_size=8, **READ_BY_DEEPSPEED)}, DERIVED)
    assert "gradient accumulation 0" in found.message and "at least 16" in found.message
    assert [fix.title for fix in found.fixes] == ["Set train_batch_size to 16"]


@pytest.mark.parametrize(
    ("consumer", "expected"), [("deepspeed", ["error"]), ("hf-trainer", ["error"]), ("custom", [])]
)
def test_no_batch_size_depends_on_the_reader(consumer: str, expected: list[str]) -> None:
    bare = deepspeed(gradient_accumulation_steps=4)
    assert [level for _, level in told({**bare, **facts(consumer=consumer)}, "no-batch-size")] == expected
    assert told(bare, "no-batch-size") == []


@pytest.mark.parametrize("value", ["auto", 4, "${MICRO}"])
def test_one_batch_key_is_enough(value: object) -> None:
    assert keys({**deepspeed(**{MICRO: value}), **facts(**READ_BY_DEEPSPEED)}, "no-batch-size") == []


@pytest.mark.parametrize("value", [0, -1, -2.5])
def test_non_positive(value: float) -> None:
    for name in (TRAIN, MICRO, STEPS):
        assert told(deepspeed(**{name: value}), "non-positive-batch") == [(f"ds.json: {name}", "error")]


@pytest.mark.parametrize("value", [1, "auto", None, "0"])
def test_positive_absent_or_of_another_type_is_not_non_positive(value: object) -> None:
    assert keys(deepspeed(**{MICRO: value}), "non-positive-batch") == []


def test_zero_init_needs_more_than_one_rank_and_a_pinned_batch() -> None:
    pinned = deepspeed(3, **{TRAIN: 16, MICRO: 1, STEPS: 8})
    rule = "pinned-batch-under-zero-init"
    early = {"code__zero_init": True}
    assert told({**pinned, **facts(world_size=2, **early)}, rule) == [
        ("ds.json: train_batch_size", "warning")
    ]
    assert keys({**pinned, **facts(world_size=2)}, rule) == []
    assert (
        keys({**deepspeed(3, **{TRAIN: 8, MICRO: 1, STEPS: 8}), **facts(world_size=1, **early)}, rule) == []
    )
    assert keys({**pinned, **facts(world_size=2, consumer="hf-trainer", **early)}, rule) == []


TRAINER = (
    "per_device_train_batch_size: 2\ngradient_accumulation_steps: 4\noutput_dir: out\ndeepspeed: ds.json\n"
)


@pytest.mark.parametrize(
    ("stated", "fires"),
    [
        ({MICRO: 2, STEPS: 4}, []),
        ({MICRO: "auto", STEPS: "auto"}, []),
        ({MICRO: 2, STEPS: 8}, [STEPS]),
        ({MICRO: 8, STEPS: 8}, [STEPS, MICRO]),
        ({TRAIN: 64, MICRO: 2, STEPS: 4}, []),
        ({TRAIN: 32, MICRO: "auto"}, [TRAIN]),
    ],
)
def test_trainer_arguments_must_agree(stated: dict[str, object], fires: list[str]) -> None:
    files = {"train.yaml": TRAINER, **deepspeed(**stated), **facts(world_size=8)}
    found = told(files, "trainer-batch-mismatch")
    assert sorted(found) == sorted((f"ds.json: {key}", "error") for key in fires)


def test_a_trainer_mismatch_is_told_once() -> None:
    files = {"train.yaml": TRAINER, **deepspeed(**{TRAIN: 32, MICRO: "auto"}), **facts(world_size=8)}
    loud = [f.rule for f in findings(files) if f.severity.word == "error"]
    assert loud == ["trainer-batch-mismatch"]


def test_launcher_file_gives_the_ranks() -> None:
    launched = accelerate(
        "DEEPSPEED", "deepspeed_config:\n  deepspeed_config_file: ds.json\n", num_processes=16
    )
    bad = {**launched, **deepspeed(**{TRAIN: 256, MICRO: 4, STEPS: 8})}
    found = only(bad, TRIANGLE)
    assert found.severity.word == "error"
    assert [r.place.path for r in found.related if "DP" in r.message] == ["acc.yaml"]


def test_fix_repairs_the_triangle() -> None:
    bad = {**deepspeed(**{TRAIN: 256, MICRO: 4, STEPS: 8}), **facts(world_size=16)}
    edit = only(bad, TRIANGLE).fixes[0].edits[0]
    text = bad["ds.json"]
    fixed = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert json.loads(fixed)[TRAIN] == 512
    assert keys({**bad, "ds.json": fixed}, TRIANGLE) == []


@pytest.mark.parametrize(("enabled", "silent"), [(True, True), (False, False)])
@pytest.mark.parametrize(
    ("rule", "batch"),
    [
        (TRIANGLE, {TRAIN: 7, MICRO: 2, STEPS: 2}),
        (DERIVED, {TRAIN: 7, MICRO: 2}),
        ("no-batch-size", {}),
    ],
)
def test_elasticity_works_the_batch_out_itself(
    rule: str, batch: dict[str, int], enabled: bool, silent: bool
) -> None:
    files = deepspeed(1, elasticity={"enabled": enabled}, **batch)
    known = facts(world_size=8, consumer="deepspeed", versions__deepspeed="0.16.4")
    assert (keys({**files, **known}, rule) == []) is silent
