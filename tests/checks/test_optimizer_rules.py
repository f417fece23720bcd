"""Optimizers and schedules: names, ZeRO, offload, and two places that name one."""

from __future__ import annotations

from typing import Any

import pytest

from checks.linting import deepspeed, facts, findings, keys, only, told

MICRO = {"train_micro_batch_size_per_gpu": 1}
CPU = {"stage": 2, "offload_optimizer": {"device": "cpu"}}


def optimizer(kind: object, **params: object) -> dict[str, Any]:
    return {"optimizer": {"type": kind, "params": {"lr": 1e-4, **params}}}


@pytest.mark.parametrize(
    ("kind", "fires"),
    [
        ("FusedAdam", True),
        ("DeepSpeedCPUAdam", True),
        ("FusedLamb", True),
        ("AdamW", False),
        ("adam", False),
        ("Lion", False),
        ("${OPTIMIZER}", False),
        ("auto", False),
    ],
)
def test_class_names(kind: str, fires: bool) -> None:
    found = told(deepspeed(2, **MICRO, **optimizer(kind)), "class-name-as-optimizer-type")
    assert found == ([("ds.json: optimizer.type", "error")] if fires else [])


def test_a_class_name_is_said_once() -> None:
    loud = [f for f in findings(deepspeed(2, **MICRO, **optimizer("FusedAdam"))) if f.severity >= 3]
    assert [f.rule for f in loud] == ["class-name-as-optimizer-type"]


def test_the_gpu_optimizer_and_offload_are_said_together() -> None:
    files = deepspeed(**MICRO, **optimizer("FusedAdam"), zero_optimization=CPU)
    assert "offload_optimizer cpu" in only(files, "class-name-as-optimizer-type").message
    plain = only(deepspeed(2, **MICRO, **optimizer("FusedAdam")), "class-name-as-optimizer-type")
    assert "offload" not in plain.message


@pytest.mark.parametrize(("allowed", "told_of_flag"), [(None, True), (True, False)])
def test_lamb_needs_the_flag_too(allowed: bool | None, told_of_flag: bool) -> None:
    flag = {} if allowed is None else {"zero_allow_untested_optimizer": allowed}
    found = only(deepspeed(2, **MICRO, **optimizer("FusedLamb"), **flag), "class-name-as-optimizer-type")
    assert ("zero_allow_untested_optimizer" in (found.help or "")) is told_of_flag


def test_an_optimizer_of_the_program_silences_the_name_in_the_file() -> None:
    files = {**deepspeed(2, **MICRO, **optimizer("FusedAdam")), **facts(code__optimizer="adamw")}
    assert findings(files, "class-name-as-optimizer-type") == []


def test_clipping_belongs_elsewhere() -> None:
    bad = deepspeed(2, **MICRO, **optimizer("AdamW", max_grad_norm=1.0))
    assert told(bad, "clipping-in-optimizer-params") == [("ds.json: optimizer.params.max_grad_norm", "error")]
    said = [f.message for f in findings(bad) if f.place.key.endswith("max_grad_norm")]
    assert len(said) == 1 and said[0].endswith("fails; the key for clipping is gradient_clipping")
    good = deepspeed(2, **MICRO, **optimizer("AdamW"), gradient_clipping=1.0)
    assert findings(good, "clipping-in-optimizer-params") == []


@pytest.mark.parametrize(
    ("kind", "stage", "version", "fires"),
    [
        ("OneBitAdam", 1, "0.19.6", True),
        ("OneBitAdam", 1, None, True),
        ("ZeroOneAdam", 2, "0.16.9", True),
        ("OneBitAdam", 0, "0.19.6", False),
        ("AdamW", 2, "0.19.6", False),
    ],
)
def test_one_bit(kind: str, stage: int, version: str | None, fires: bool) -> None:
    files = deepspeed(stage, **MICRO, **optimizer(kind))
    if version:
        files |= facts(versions__deepspeed=version)
    found = told(files, "one-bit-optimizer-with-zero")
    assert found == ([("ds.json: optimizer.type", "error")] if fires else [])


@pytest.mark.parametrize(
    ("kind", "stage", "flag", "fires"),
    [
        ("Lamb", 2, None, True),
        ("SGD", 1, None, True),
        ("MuAdam", 3, None, True),
        ("Lamb", 2, True, False),
        ("Lamb", 2, "${FLAG}", False),
        ("Lamb", 0, None, False),
        ("Adam", 2, None, False),
        ("Muon", 2, None, False),
        ("Adagrad", 2, None, False),
    ],
)
def test_untested_in_the_file(kind: str, stage: int, flag: object, fires: bool) -> None:
    extra = {} if flag is None else {"zero_allow_untested_optimizer": flag}
    found = told(deepspeed(stage, **MICRO, **optimizer(kind), **extra), "untested-optimizer-under-zero")
    assert found == ([("ds.json: optimizer.type", "error")] if fires else [])


@pytest.mark.parametrize(
    ("client", "consumer", "fires"),
    [
        ("megatron.Lion", "gpt-neox", True),
        ("torch.optim.SGD", "deepspeed", True),
        ("torch.optim.AdamW", "deepspeed", False),
        ("megatron.Lion", "accelerate", False),
        ("lion", "deepspeed", False),
    ],
)
def test_untested_in_the_program(client: str, consumer: str, fires: bool) -> None:
    files = {**deepspeed(1, **MICRO), **facts(code__optimizer=client, consumer=consumer)}
    found = told(files, "untested-optimizer-under-zero")
    assert found == ([("ds.json: zero_optimization.stage", "error")] if fires else [])


OFFLOADED = "client-optimizer-with-offload"


@pytest.mark.parametrize(
    ("client", "consumer", "force", "level"),
    [
        ("torch.optim.AdamW", "deepspeed", None, "error"),
        ("torch.optim.AdamW", "deepspeed", False, None),
        ("deepspeed.ops.adam.DeepSpeedCPUAdam", "deepspeed", None, None),
        ("torch.optim.AdamW", "accelerate", None, None),
        ("adamw", "deepspeed", None, "warning"),
        ("transformers.Adafactor", "accelerate", None, "warning"),
    ],
)
def test_client_with_offload(client: str, consumer: str, force: bool | None, level: str | None) -> None:
    flag = {} if force is None else {"zero_force_ds_cpu_optimizer": force}
    files = deepspeed(**MICRO, zero_optimization=CPU, **flag)
    files |= facts(code__optimizer=client, consumer=consumer)
    place = "ds.json: zero_optimization.offload_optimizer.device"
    assert told(files, OFFLOADED) == ([(place, level)] if level else [])


TRAIN = "per_device_train_batch_size: 1\noutput_dir: out\ndeepspeed: ds.json\n"


def scheduler(kind: str, **params: object) -> dict[str, object]:
    return {"scheduler": {"type": kind, "params": params}}


@pytest.mark.parametrize(
    ("asked", "kind", "fires"),
    [
        ("cosine", "WarmupDecayLR", True),
        ("linear", "WarmupDecayLR", False),
        ("constant_with_warmup", "WarmupLR", False),
        ("cosine", "WarmupCosineLR", False),
        ("linear", "WarmupLR", True),
        (None, "WarmupLR", False),
    ],
)
def test_two_schedulers(asked: str | None, kind: str, fires: bool) -> None:
    train = TRAIN + (f"lr_scheduler_type: {asked}\n" if asked else "")
    files = {"train.yaml": train, **deepspeed(2, train_micro_batch_size_per_gpu="auto", **scheduler(kind))}
    assert keys(files, "scheduler-in-two-places") == (["ds.json: scheduler.type"] if fires else [])


@pytest.mark.parametrize(
    ("asked", "kind", "fires"),
    [
        ("paged_adamw_8bit", "AdamW", True),
        ("adamw_torch", "AdamW", False),
        ("adafactor", "Adam", True),
        ("adamw_torch_fused", "Adam", False),
        (None, "AdamW", False),
    ],
)
def test_two_optimizers(asked: str | None, kind: str, fires: bool) -> None:
    train = TRAIN + (f"optim: {asked}\n" if asked else "")
    body = deepspeed(
        2, train_micro_batch_size_per_gpu="auto", optimizer={"type": kind, "params": {"lr": "auto"}}
    )
    assert keys({"train.yaml": train, **body}, "optimizer-in-two-places") == (
        ["ds.json: optimizer.type"] if fires else []
    )


WARMUP = "warmup-ends-elsewhere"


@pytest.mark.parametrize(
    ("kind", "top", "version", "key"),
    [
        ("WarmupDecayLR", None, "0.19.8", "scheduler.params"),
        ("WarmupLR", None, None, "scheduler.params"),
        ("WarmupLR", None, "0.17.1", "scheduler.params"),
        ("WarmupLR", None, "0.17.2", None),
        ("WarmupLR", 1e-4, None, None),
        ("WarmupLR", 1e-3, None, "scheduler.params.warmup_max_lr"),
        ("WarmupLR", "auto", None, None),
        ("WarmupCosineLR", None, None, None),
        ("OneCycle", None, None, None),
    ],
)
def test_warmup_top(kind: str, top: object, version: str | None, key: str | None) -> None:
    params: dict[str, object] = {"warmup_num_steps": 10, "total_num_steps": 100}
    if top is not None:
        params["warmup_max_lr"] = top
    files = deepspeed(2, **MICRO, **optimizer("AdamW"), **scheduler(kind, **params))
    if version:
        files |= facts(versions__deepspeed=version)
    assert told(files, WARMUP) == ([(f"ds.json: {key}", "warning")] if key else [])


def test_a_rate_equal_to_the_default_is_no_surprise() -> None:
    body: dict[str, Any] = {"optimizer": {"type": "AdamW", "params": {"lr": 0.001}}}
    files = deepspeed(2, **MICRO, **body, **scheduler("WarmupDecayLR", warmup_num_steps=5, total_num_steps=9))
    assert findings(files, WARMUP) == []


def test_a_misspelt_argument_is_said_once_and_can_be_renamed() -> None:
    files = deepspeed(2, **MICRO, **optimizer("AdamW", beta=[0.9, 0.95]))
    found = [f for f in findings(files) if f.place.key == "optimizer.params.beta"]
    assert [f.rule for f in found] == ["unknown-optimizer-argument"]
    assert [fix.title for fix in found[0].fixes] == ["Rename it to betas"]
    both = deepspeed(2, **MICRO, **optimizer("AdamW", beta=[0.9, 0.95], betas=[0.9, 0.95]))
    assert only(both, "unknown-optimizer-argument").fixes == ()
