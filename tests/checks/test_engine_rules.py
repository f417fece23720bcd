"""What DeepSpeed refuses when it builds the engine, beyond what its config refuses."""

from __future__ import annotations

from typing import Any

import pytest

from checks.linting import deepspeed, facts, only, told

MICRO = {"train_micro_batch_size_per_gpu": 1}
ADAMW = {"type": "AdamW", "params": {"lr": 1e-4}}
NONE = {"code__builds_optimizer": False}
NVME = {"device": "nvme", "nvme_path": "/nvme"}
LTD = ("data_efficiency", "data_routing", "random_ltd")


def lint(rule: str, stage: int | str, top: dict[str, Any], zero: dict[str, Any], **stated: Any) -> list[Any]:
    body = {**MICRO, "zero_optimization": {"stage": stage, **zero}, **top}
    known = {"versions__deepspeed": "0.19.8", "consumer": "deepspeed", **stated}
    return told({**deepspeed(**{"stage": None, **body}), **facts(**known)}, rule)


@pytest.mark.parametrize(
    ("stage", "top", "zero", "stated", "place"),
    [
        (2, {}, {}, NONE, "zero_optimization.stage"),
        (1, {"optimizer": {"params": {"lr": 1}}}, {}, NONE, "zero_optimization.stage"),
        (3, {}, {"zero_hpz_partition_size": 2}, NONE, "zero_optimization.zero_hpz_partition_size"),
        (3, {}, {}, NONE, None),
        (0, {}, {}, NONE, None),
        (2, {}, {}, {}, None),
        (2, {}, {}, {"code__builds_optimizer": True}, None),
        (2, {"optimizer": ADAMW}, {}, NONE, None),
        (2, {"optimizer": {"type": "${OPTIMIZER}"}}, {}, NONE, None),
        ("${STAGE}", {}, {}, NONE, None),
    ],
)
def test_zero_needs_an_optimizer(
    stage: int | str, top: dict[str, Any], zero: dict[str, Any], stated: dict[str, Any], place: str | None
) -> None:
    found = lint("no-optimizer-under-zero", stage, top, zero, **stated)
    assert found == ([(f"ds.json: {place}", "error")] if place else [])


@pytest.mark.parametrize(
    ("names", "enabled", "fires"),
    [
        (["Linear"], True, True),
        (["torch.nn.Linear", "Conv2d"], True, True),
        ("torch.nn.Linear", True, True),
        ("", True, False),
        ("auto", True, True),
        (["torch.nn.Linear"], True, False),
        (["Linear"], False, False),
        ("${NAMES}", True, False),
    ],
)
def test_modules_have_packages(names: object, enabled: bool, fires: bool) -> None:
    section = {"torch_autocast": {"enabled": enabled, "lower_precision_safe_modules": names}}
    found = lint("autocast-module-without-path", 1, section, {})
    place = "ds.json: torch_autocast.lower_precision_safe_modules"
    assert found == ([(place, "error")] if fires else [])


@pytest.mark.parametrize(
    ("stage", "zero", "value", "fires"),
    [
        (3, {"offload_param": NVME}, "1M", True),
        (3, {"offload_optimizer": NVME}, None, True),
        (3, {"offload_param": NVME}, "auto", True),
        (3, {"offload_param": NVME}, 1048576, False),
        (3, {"offload_param": NVME}, "${BLOCK}", False),
        (3, {"offload_param": {"device": "cpu"}}, "1M", False),
        (2, {"offload_optimizer": NVME}, "1M", False),
    ],
)
def test_aio_is_computed_with(stage: int, zero: dict[str, Any], value: object, fires: bool) -> None:
    found = lint("aio-value-unusable", stage, {"aio": {"block_size": value}}, zero)
    assert found == ([("ds.json: aio.block_size", "error")] if fires else [])


@pytest.mark.parametrize(
    ("name", "value", "fires"),
    [
        ("single_submit", "yes", True),
        ("overlap_events", True, False),
        ("overlap_events", None, False),
        ("intra_op_parallelism", 0, True),
        ("queue_depth", 0, False),
    ],
)
def test_switches_and_threads_of_aio(name: str, value: object, fires: bool) -> None:
    found = lint("aio-value-unusable", 3, {"aio": {name: value}}, {"offload_param": NVME})
    assert found == ([(f"ds.json: aio.{name}", "error")] if fires else [])


@pytest.mark.parametrize(
    ("kind", "stage", "top", "fires"),
    [
        ("StepLR", 1, {}, True),
        ("CosineAnnealingLR", 0, {"bf16": {"enabled": True}}, True),
        ("CosineAnnealingLR", 0, {}, False),
        ("WarmupLR", 2, {}, False),
        ("StepLR", "${STAGE}", {}, False),
        ("NoSuchLR", 2, {}, False),
    ],
)
def test_schedules_of_torch(kind: str, stage: int | str, top: dict[str, Any], fires: bool) -> None:
    body = {"optimizer": ADAMW, "scheduler": {"type": kind, "params": {}}, **top}
    found = lint("torch-schedule-under-wrapper", stage, body, {})
    assert found == ([("ds.json: scheduler.type", "error")] if fires else [])


def test_states_nobody_has_need_no_path() -> None:
    zero = {"offload_optimizer": {"device": "nvme"}}
    place = [("ds.json: zero_optimization.offload_optimizer", "error")]
    assert lint("nvme-offload-without-path", 3, {}, zero) == place
    assert lint("nvme-offload-without-path", 3, {}, zero, **NONE) == []


@pytest.mark.parametrize("missing", ["min_value", "max_value", "schedule_type", "schedule_config"])
def test_a_schedule_of_random_ltd_is_whole(missing: str) -> None:
    schedule = {"min_value": 128, "max_value": 2048, "schedule_type": "fixed_linear", "schedule_config": {}}
    ltd = {"enabled": True, "total_layer_num": 24, "random_ltd_layer_num": 2}
    whole = {LTD[0]: {LTD[1]: {LTD[2]: {**ltd, "random_ltd_schedule": schedule}}}}
    assert lint("data-efficiency-key-missing", 1, whole, {}) == []
    del schedule[missing]
    section = ".".join((*LTD, "random_ltd_schedule"))
    assert lint("data-efficiency-key-missing", 1, whole, {}) == [(f"ds.json: {section}", "error")]


def test_zenflow_needs_the_arguments_of_the_optimizer() -> None:
    zero = {"offload_optimizer": {"device": "cpu"}, "zenflow": {"topk_ratio": 0.1}}
    found = lint("zenflow-prerequisite-missing", 2, {"optimizer": {"type": "AdamW"}}, zero)
    assert found == [("ds.json: optimizer", "error")]
    assert lint("zenflow-prerequisite-missing", 2, {"optimizer": ADAMW}, zero) == []


@pytest.mark.parametrize(
    ("params", "zero", "fails_at"),
    [
        ({"lr": "high"}, {}, "first step"),
        ({"lr": "high", "torch_adam": True}, {}, "engine"),
        ({"lr": "high"}, {"offload_optimizer": {"device": "cpu"}}, "engine"),
    ],
)
def test_some_constructors_look_at_their_numbers(
    params: dict[str, Any], zero: dict[str, Any], fails_at: str
) -> None:
    top = {**MICRO, "optimizer": {"type": "AdamW", "params": params}}
    files = deepspeed(**{"stage": None, **top, "zero_optimization": {"stage": 2, **zero}})
    found = only({**files, **facts(consumer="deepspeed")}, "wrong-type")
    assert (found.place.key, found.fails_at) == ("optimizer.params.lr", fails_at)


def test_master_weights_without_an_optimizer_are_not_used() -> None:
    masters = {"bf16": {"enabled": True, "bf16_master_weights_and_grads": True}}
    assert lint("low-precision-master-weights", 3, masters, {}, **NONE) == []
    found = lint("low-precision-master-weights", 3, {**masters, "optimizer": ADAMW}, {}, **NONE)
    assert found == [("ds.json: bf16.bf16_master_weights_and_grads", "error")]


ON_HOST = {"offload_optimizer": {"device": "cpu"}}
FLOW = {**ON_HOST, "zenflow": {"topk_ratio": 0.1}}


@pytest.mark.parametrize(
    ("kind", "params", "zero", "name"),
    [
        ("Adam", {"torch_adam": True, "lr": -1}, {}, "lr"),
        ("AdamW", {"torch_adam": True, "betas": [0.9, 2]}, {}, "betas"),
        ("AdamW", {"torch_adam": True, "betas": [0.9]}, {}, "betas"),
        ("AdamW", {"torch_adam": True, "betas": [0.9, "${BETA}"]}, {}, ""),
        ("SGD", {"lr": 0.1, "momentum": -0.9}, {}, "momentum"),
        ("RMSprop", {"lr": "auto", "eps": -1}, {}, "eps"),
        ("AdamW", {"lr": -1, "eps": -1, "betas": [0.9]}, {}, ""),
        ("AdamW", {"weight_decay": -0.1}, FLOW, "weight_decay"),
        ("AdamW", {"weight_decay": -0.1, "betas": [0.9, 2]}, ON_HOST, ""),
        ("AdamW", {"betas": [0.9]}, ON_HOST, "betas"),
        ("Lion", {"betas": [0.9, 2]}, ON_HOST, ""),
    ],
)
def test_numbers_the_optimizer_refuses(
    kind: str, params: dict[str, Any], zero: dict[str, Any], name: str
) -> None:
    found = lint("optimizer-argument-out-of-range", 2, {"optimizer": {"type": kind, "params": params}}, zero)
    assert found == ([(f"ds.json: optimizer.params.{name}", "error")] if name else [])


@pytest.mark.parametrize(
    ("stage", "top", "zero", "fires"),
    [
        (0, {"bf16": {"enabled": True}}, FLOW, True),
        (0, {}, FLOW, False),
        (0, {"bf16": {"enabled": True}}, {**ON_HOST, "zenflow": {"overlap_step": True}}, False),
        (2, {"bf16": {"enabled": True}}, FLOW, False),
    ],
)
def test_zenflow_outside_zero(stage: int, top: dict[str, Any], zero: dict[str, Any], fires: bool) -> None:
    found = lint("zenflow-prerequisite-missing", stage, {"optimizer": ADAMW, **top}, zero)
    assert found == ([("ds.json: zero_optimization.zenflow", "error")] if fires else [])


def test_no_optimizer_points_at_the_section_without_a_type() -> None:
    files = deepspeed(2, optimizer={"params": {"type": "Adam"}}, **MICRO)
    found = only({**files, **facts(consumer="deepspeed", **NONE)}, "no-optimizer-under-zero")
    assert [(other.place.key, other.place.missing) for other in found.related] == [("optimizer", "type")]
