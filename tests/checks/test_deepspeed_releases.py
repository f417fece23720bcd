"""What DeepSpeed takes by release: which keys divide the batch, what it stumbled over before it checked."""

from __future__ import annotations

from typing import Any

import pytest

from checks.linting import deepspeed, facts, told

MICRO = {"train_micro_batch_size_per_gpu": 1}
TRAIN = "train_batch_size"


def by(release: str | None, rule: str, world: int = 8, **top: Any) -> list[tuple[str, str]]:
    """What a rule finds in a file that a release of DeepSpeed reads."""
    known: dict[str, object] = {"world_size": world, "consumer": "deepspeed"}
    if release:
        known["versions__deepspeed"] = release
    return told({**deepspeed(top.pop("stage", 1), **top), **facts(**known)}, rule)


@pytest.mark.parametrize(
    ("release", "batch", "level"),
    [
        ("0.19.8", 2, None),
        ("0.19.8", 8, "error"),
        ("0.16.9", 2, "error"),
        ("0.16.9", 8, None),
        ("0.17.2", 8, "warning"),
        (None, 8, "warning"),
        (None, 9, "error"),
    ],
)
def test_the_sequence_degree_divides_the_batch_since_it_is_read(
    release: str | None, batch: int, level: str | None
) -> None:
    keys = {"train_batch_size": batch, **MICRO, "gradient_accumulation_steps": 1, "sequence_parallel_size": 4}
    found = by(release, "batch-triangle-mismatch", **keys)
    assert found == ([(f"ds.json: {TRAIN}", level)] if level else [])


@pytest.mark.parametrize(
    ("release", "batch", "level"),
    [
        ("0.19.8", 8, None),
        ("0.19.8", 9, "error"),
        ("0.16.9", 8, None),
        ("0.16.9", 9, "error"),
        (None, 9, "error"),
    ],
)
def test_a_derived_accumulation_under_a_sequence_degree(
    release: str | None, batch: int, level: str | None
) -> None:
    keys = {"train_batch_size": batch, **MICRO, "sequence_parallel_size": 4}
    found = by(release, "indivisible-train-batch", **keys)
    assert found == ([(f"ds.json: {TRAIN}", level)] if level else [])


@pytest.mark.parametrize(
    ("release", "world", "level"),
    [("0.19.8", 2, "error"), ("0.19.8", 1, "error"), ("0.16.9", 2, None), (None, 2, "warning")],
)
def test_a_mesh_of_too_many_ranks(release: str | None, world: int, level: str | None) -> None:
    mesh = {"sequence_parallel_size": 2, "data_parallel_size": 4}
    found = by(release, "fractional-batch", world, **MICRO, **mesh)
    assert found == ([("ds.json: sequence_parallel_size", level)] if level else [])


@pytest.mark.parametrize(
    ("keys", "place", "level"),
    [
        ({"train_batch_size": 0.5}, "train_batch_size", "error"),
        ({"train_batch_size": 8.5, "gradient_accumulation_steps": 1}, "train_batch_size", "error"),
        (
            {"train_batch_size": 4, **MICRO, "gradient_accumulation_steps": 0.5},
            "gradient_accumulation_steps",
            "warning",
        ),
        (
            {"train_batch_size": 8, **MICRO, "gradient_accumulation_steps": 0.5},
            "gradient_accumulation_steps",
            "error",
        ),
        ({**MICRO, "gradient_accumulation_steps": 1.5}, "gradient_accumulation_steps", "warning"),
        ({"train_micro_batch_size_per_gpu": 2.5}, "train_micro_batch_size_per_gpu", "warning"),
        ({**MICRO, "gradient_accumulation_steps": 2.0}, "", ""),
    ],
)
def test_batch_keys_with_a_fraction(keys: dict[str, Any], place: str, level: str) -> None:
    assert by(None, "fractional-batch", **keys) == ([(f"ds.json: {place}", level)] if place else [])


@pytest.mark.parametrize(
    ("release", "value", "enabled", "level"),
    [
        ("0.16.9", None, True, "error"),
        ("0.16.9", "16k", True, "error"),
        ("0.16.9", None, False, "warning"),
        ("0.16.9", 16.5, True, "warning"),
        ("0.19.8", None, False, "error"),
        (None, None, True, "error"),
        (None, 16.5, True, "warning"),
    ],
)
def test_an_exponent_that_is_no_number(release: str | None, value: Any, enabled: bool, level: str) -> None:
    found = by(release, "wrong-type", **MICRO, fp16={"enabled": enabled, "initial_scale_power": value})
    assert found == [("ds.json: fp16.initial_scale_power", level)]


@pytest.mark.parametrize(
    ("release", "enabled", "level"),
    [
        ("0.16.9", True, "error"),
        ("0.16.9", False, "warning"),
        ("0.19.8", True, "warning"),
        (None, True, "warning"),
    ],
)
def test_auto_for_an_exponent_is_dropped_since_it_is_checked(
    release: str | None, enabled: bool, level: str
) -> None:
    half = {"enabled": enabled, "initial_scale_power": "auto"}
    found = by(release, "auto-nobody-fills", **MICRO, fp16=half)
    assert found == [("ds.json: fp16.initial_scale_power", level)]


@pytest.mark.parametrize(
    ("release", "value", "level"),
    [
        ("0.16.9", " 1", "warning"),
        ("0.19.8", " 1", "error"),
        ("0.16.9", "two", "error"),
        ("0.16.9", "auto", None),
        ("0.19.8", "auto", "error"),
    ],
)
def test_text_for_the_tensor_degree(release: str, value: str, level: str | None) -> None:
    rule = "auto-nobody-fills" if value == "auto" else "wrong-type"
    found = by(release, rule, **MICRO, tensor_parallel={"autotp_size": value})
    assert found == ([("ds.json: tensor_parallel.autotp_size", level)] if level else [])


@pytest.mark.parametrize(
    ("release", "enabled", "level"),
    [
        ("0.16.9", True, "error"),
        ("0.16.9", False, None),
        ("0.19.8", False, "error"),
        (None, False, "warning"),
    ],
)
def test_fp16_master_weights_count_alone_since_they_are_checked(
    release: str | None, enabled: bool, level: str | None
) -> None:
    half = {"enabled": enabled, "fp16_master_weights_and_grads": True}
    found = by(release, "low-precision-master-weights", stage=0, **MICRO, fp16=half)
    assert found == ([("ds.json: fp16.fp16_master_weights_and_grads", level)] if level else [])


@pytest.mark.parametrize(
    ("release", "params", "level"),
    [
        ("0.19.8", {"amsgrad": True}, "error"),
        ("0.18.9", {"amsgrad": True}, None),
        (None, {"amsgrad": True}, "warning"),
        ("0.19.8", {"amsgrad": True, "torch_adam": True}, None),
    ],
)
def test_amsgrad_on_the_host(release: str | None, params: dict[str, Any], level: str | None) -> None:
    zero = {"stage": 2, "offload_optimizer": {"device": "cpu"}}
    known = {"consumer": "deepspeed", **({"versions__deepspeed": release} if release else {})}
    body = {"optimizer": {"type": "AdamW", "params": params}, **MICRO, "zero_optimization": zero}
    files = {**deepspeed(**body), **facts(**known)}
    found = told(files, "amsgrad-unsupported")
    assert found == ([("ds.json: optimizer.params.amsgrad", level)] if level else [])


@pytest.mark.parametrize("device", [" cpu", "CPU", "gpu"])
def test_a_device_is_spelt_as_it_is(device: str) -> None:
    zero = {"stage": 2, "offload_optimizer": {"device": device}}
    files = {**deepspeed(**MICRO, zero_optimization=zero), **facts(consumer="deepspeed")}
    place = "ds.json: zero_optimization.offload_optimizer.device"
    assert told(files, "value-not-allowed") == [(place, "error")]


@pytest.mark.parametrize("kind", ["WarmupLR", "WarmupDecayLR"])
def test_a_schedule_without_a_rate_takes_that_of_the_optimizer(kind: str) -> None:
    params = {"total_num_steps": 10, "warmup_num_steps": 1, "warmup_max_lr": None}
    assert by(None, "wrong-type", **MICRO, scheduler={"type": kind, "params": params}) == []


@pytest.mark.parametrize(
    ("release", "value", "level"),
    [
        ("0.19.8", "1.0", "error"),
        ("0.19.8", True, "error"),
        ("0.19.8", "1", None),
        ("0.19.8", 1.0, None),
        ("0.19.1", True, "warning"),
        ("0.19.1", "1.0", "warning"),
        ("0.18.9", "one", "error"),
    ],
)
def test_a_validator_before_the_loss_scales(release: str, value: Any, level: str | None) -> None:
    found = by(release, "wrong-type", **MICRO, fp16={"enabled": True, "min_loss_scale": value})
    assert found == ([("ds.json: fp16.min_loss_scale", level)] if level else [])
