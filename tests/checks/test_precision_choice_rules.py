"""Number formats that run, but not as one may think."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, deepspeed, facts, told

MICRO = {"train_micro_batch_size_per_gpu": 1}
ON = {"enabled": True}


@pytest.mark.parametrize(
    ("section", "trained", "fires"),
    [
        ({"fp16": ON}, "bfloat16", True),
        ({"fp16": ON}, "float32", False),
        ({"fp16": ON}, None, False),
        ({"bf16": ON}, "bfloat16", False),
        ({"fp16": {"enabled": "auto"}}, "bfloat16", False),
    ],
)
def test_fp16_for_bf16(section: dict[str, object], trained: str | None, fires: bool) -> None:
    files = deepspeed(2, **MICRO, **section) | (facts(model__pretrained_dtype=trained) if trained else {})
    assert told(files, "fp16-for-bf16-model") == ([("ds.json: fp16.enabled", "warning")] if fires else [])


@pytest.mark.parametrize(
    ("kind", "word", "fires"),
    [("DEEPSPEED", "fp8", True), ("DEEPSPEED", "bf16", False), ("FSDP", "fp8", False)],
)
def test_fp8(kind: str, word: str, fires: bool) -> None:
    found = told(accelerate(kind, mixed_precision=word), "fp8-under-deepspeed")
    assert found == ([("acc.yaml: mixed_precision", "info")] if fires else [])


@pytest.mark.parametrize(
    ("sent", "kept", "fires"),
    [("bf16", "fp32", True), ("fp32", "fp32", False), ("bf16", "bf16", False), ("${X}", "fp32", False)],
)
def test_fewer_bits(sent: str, kept: str, fires: bool) -> None:
    files = deepspeed(
        2, **MICRO, bf16=ON, communication_data_type=sent, data_types={"grad_accum_dtype": kept}
    )
    found = told(files, "gradients-summed-in-fewer-bits")
    assert found == ([("ds.json: communication_data_type", "info")] if fires else [])


@pytest.mark.parametrize(
    ("consumer", "precision", "fires"),
    [("lightning", "16-mixed", True), ("lightning", "16-true", False), ("deepspeed", "16-mixed", False)],
)
def test_mixed(consumer: str, precision: str, fires: bool) -> None:
    files = {
        **deepspeed(2, **MICRO, fp16=ON),
        **facts(consumer=consumer, training_args__precision=precision),
    }
    assert told(files, "mixed-is-not-autocast") == ([("ds.json: fp16.enabled", "info")] if fires else [])
