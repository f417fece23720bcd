"""Number formats: two at once, one the GPU lacks, one another file contradicts."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, deepspeed, facts, findings, keys, only, told

MICRO = "train_micro_batch_size_per_gpu"
ON, OFF, AUTO = {"enabled": True}, {"enabled": False}, {"enabled": "auto"}


@pytest.mark.parametrize(
    ("bf16", "fp16", "fires"), [(ON, ON, True), (ON, OFF, False), (ON, AUTO, False), (OFF, ON, False)]
)
def test_two_half_precisions(bf16: dict[str, object], fp16: dict[str, object], fires: bool) -> None:
    found = told(deepspeed(**{MICRO: 1}, bf16=bf16, fp16=fp16), "two-half-precisions")
    assert found == ([("ds.json: bf16.enabled", "error")] if fires else [])


def test_two_half_precisions_in_training_arguments() -> None:
    both = "per_device_train_batch_size: 1\noutput_dir: out\nnum_train_epochs: 1\nbf16: true\nfp16: {}\n"
    assert told({"train.yaml": both.format("true")}, "two-half-precisions") == [("train.yaml: bf16", "error")]
    assert told({"train.yaml": both.format("false")}, "two-half-precisions") == []


GPU_RULE = "precision-unsupported-by-gpu"


@pytest.mark.parametrize(
    ("capability", "section", "fires"),
    [
        ("8.0", {"bf16": ON}, []),
        ("7.5", {"bf16": ON}, ["bf16.enabled"]),
        ("6.1", {"bf16": ON}, ["bf16.enabled"]),
        ("7.5", {"bf16": AUTO}, []),
        ("7.0", {"fp16": ON}, []),
        ("6.1", {"fp16": ON}, ["fp16.enabled"]),
        ("7.5", {"bf16": OFF}, []),
    ],
)
def test_precision_the_gpu_lacks(capability: str, section: dict[str, object], fires: list[str]) -> None:
    files = {**deepspeed(**{MICRO: 1}, **section), **facts(gpu__compute_capability=capability)}
    assert told(files, GPU_RULE) == [(f"ds.json: {key}", "warning") for key in fires]


@pytest.mark.parametrize(("capability", "fires"), [("8.9", False), ("8.6", True), ("9.0", False)])
def test_fp8_needs_ada(capability: str, fires: bool) -> None:
    files = {**accelerate("MULTI_GPU", mixed_precision="fp8"), **facts(gpu__compute_capability=capability)}
    assert keys(files, GPU_RULE) == (["acc.yaml: mixed_precision"] if fires else [])


def test_no_gpu_fact_no_claim() -> None:
    assert keys(deepspeed(**{MICRO: 1}, bf16=ON), GPU_RULE) == []


@pytest.mark.parametrize(
    ("engine", "loaded", "fires"),
    [
        ({"bf16": ON}, "float16", ["bf16.enabled"]),
        ({"bf16": ON}, "bfloat16", []),
        ({"bf16": ON}, "float32", []),
        ({"fp16": ON}, "bfloat16", ["fp16.enabled"]),
        ({"bf16": AUTO}, "float16", []),
    ],
)
def test_load_dtype(engine: dict[str, object], loaded: str, fires: list[str]) -> None:
    files = {**deepspeed(3, **{MICRO: 1}, **engine), **facts(model__load_dtype=loaded)}
    assert told(files, "load-dtype-against-engine") == [(f"ds.json: {key}", "warning") for key in fires]


TRAINER = "per_device_train_batch_size: 1\noutput_dir: out\ndeepspeed: ds.json\n"


@pytest.mark.parametrize(
    ("arguments", "sections", "fires"),
    [
        ("bf16: true", {"bf16": ON}, []),
        ("bf16: true", {"bf16": AUTO, "fp16": AUTO}, []),
        ("bf16: true", {"bf16": OFF}, ["bf16.enabled"]),
        ("bf16: true", {"fp16": ON}, ["fp16.enabled"]),
        ("fp16: false", {"fp16": ON}, ["fp16.enabled"]),
        ("", {"fp16": ON}, []),
        ("bf16: true", {"fp16": OFF}, []),
    ],
)
def test_trainer_precision(arguments: str, sections: dict[str, object], fires: list[str]) -> None:
    files = {"train.yaml": f"{TRAINER}{arguments}\n", **deepspeed(**{MICRO: "auto"}, **sections)}
    assert told(files, "trainer-precision-mismatch") == [(f"ds.json: {key}", "error") for key in fires]


AMP = {"amp": {"enabled": True, "opt_level": "O1"}}


@pytest.mark.parametrize(
    ("stage", "extra", "version", "fires"),
    [
        (2, {}, "0.19.6", "ZeRO-2"),
        (0, {}, "0.19.6", None),
        (0, {"fp16": ON}, "0.19.6", "fp16"),
        (2, {}, "0.19.8", None),
    ],
)
def test_amp(stage: int, extra: dict[str, object], version: str, fires: str | None) -> None:
    files = {**deepspeed(stage, **{MICRO: 1}, **AMP, **extra), **facts(versions__deepspeed=version)}
    if fires is None:
        assert findings(files, "amp-with-zero") == []
    else:
        found = only(files, "amp-with-zero")
        assert found.severity.word == "error" and fires in found.message


def test_amp_switched_off_is_silent() -> None:
    files = {**deepspeed(2, **{MICRO: 1}, amp=OFF), **facts(versions__deepspeed="0.19.6")}
    assert findings(files, "amp-with-zero") == []
