"""DeepSpeed configs: what they state, what DeepSpeed assumes, what stays open."""

from __future__ import annotations

import pytest

from formats.reading_helper import kind, read, standing, values

FULL = """
{
  "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 8,
  "gradient_clipping": 0.5,
  "bf16": {"enabled": true, "immediate_grad_update": true, "bf16_master_weights_and_grads": true},
  "data_types": {"grad_accum_dtype": "torch.float32"},
  "tensor_parallel": {"autotp_size": 2},
  "sequence_parallel_size": 4,
  "optimizer": {"type": "AdamW", "params": {"lr": 1e-4, "betas": [0.9, 0.95], "torch_adam": true}},
  "zero_optimization": {
    "stage": 3,
    "reduce_bucket_size": 5e8,
    "param_persistence_threshold": 1000,
    "stage3_max_live_parameters": 1000000,
    "sub_group_size": 1e9,
    "overlap_comm": false,
    "zero_hpz_partition_size": 8,
    "round_robin_gradients": true,
    "offload_optimizer": {"device": "cpu", "pin_memory": true, "ratio": 0.5},
    "offload_param": {"device": "nvme", "nvme_path": "/scratch", "max_in_cpu": 1000}
  }
}
"""


def test_states_every_term_a_plan_needs() -> None:
    reading = read(FULL, "ds.json")
    assert values(reading, *PLAN) == PLAN
    assert values(reading, *OPTIONS) == OPTIONS


PLAN = {
    "framework": "deepspeed",
    "stage": 3,
    "train_batch": 256,
    "micro_batch": 4,
    "accumulation": 8,
    "precision": "bf16",
    "accum_dtype": "fp32",
    "tensor": 2,
    "sequence": 4,
    "optimizer": "AdamW",
    "offload_optimizer": "cpu",
    "offload_param": "nvme",
}
OPTIONS = {
    "options.gradient_clipping": 0.5,
    "options.bf16.immediate_grad_update": True,
    "options.bf16_master_weights_and_grads": True,
    "options.reduce_bucket_size": 500_000_000,
    "options.stage3_param_persistence_threshold": 1000,
    "options.stage3_max_live_parameters": 1_000_000,
    "options.sub_group_size": 1_000_000_000,
    "options.overlap_comm": False,
    "options.zero_hpz_partition_size": 8,
    "options.round_robin_gradients": True,
    "options.offload_optimizer.pin_memory": True,
    "options.offload_optimizer.ratio": 0.5,
    "options.offload_param.max_in_cpu": 1000,
    "options.optimizer.torch_adam": True,
    "options.optimizer.betas": [0.9, 0.95],
}


def test_a_term_stands_at_its_value() -> None:
    stage = read(FULL, "conf/ds.json").terms["stage"]
    assert stage.origin == "conf/ds.json:13"
    assert stage.standing == "given"
    assert stage.place is not None
    assert stage.place.key == "zero_optimization.stage"
    document = stage.place.document
    assert document is not None
    assert document.text[stage.place.span.start : stage.place.span.end] == "3"


def test_defaults_of_a_file_that_says_nothing() -> None:
    reading = read('{"train_micro_batch_size_per_gpu": 4}', "ds.json")
    assert values(reading, "stage", "precision", "accumulation", "offload_param", "offload_optimizer") == {
        "stage": 0,
        "precision": "fp32",
        "accumulation": 1,
        "offload_param": "none",
        "offload_optimizer": "none",
    }
    for term in ("stage", "precision", "accumulation"):
        assert standing(reading, term) == "default"
        assert reading.terms[term].origin == "DeepSpeed default"
    place = reading.terms["stage"].place
    assert place is not None and place.missing == "zero_optimization"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ds.json", '{"train_batch_size": 8, "zero_optimization": {"stage": 2}, "bf16": {"enabled": true}}'),
        ("ds.json", "{train_batch_size: 8\n# note\nzero_optimization: {stage: 2}\nbf16: {enabled: true}}"),
        ("ds.hjson", "train_batch_size: 8\nzero_optimization: {\n  stage: 2\n}\nbf16: {enabled: true}"),
        ("ds.yaml", "train_batch_size: 8\nzero_optimization:\n  stage: 2\nbf16:\n  enabled: true\n"),
        ("ds.toml", "train_batch_size = 8\n[zero_optimization]\nstage = 2\n[bf16]\nenabled = true\n"),
    ],
)
def test_one_config_in_every_language(name: str, text: str) -> None:
    reading = read(text, name)
    assert reading.format.name == "deepspeed"
    assert values(reading, "train_batch", "stage", "precision", "accumulation") == {
        "train_batch": 8,
        "stage": 2,
        "precision": "bf16",
        "accumulation": 1,
    }


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        ("3", 3),
        ('"2"', 2),
        ("2.0", 2),
        ("true", 1),
        ("4", None),
        ("null", None),
        ('"three"', None),
        ("-1", None),
    ],
)
def test_stage_as_the_zero_model_takes_it(stage: str, expected: int | None) -> None:
    reading = read(f'{{"train_batch_size": 8, "zero_optimization": {{"stage": {stage}}}}}', "ds.json")
    assert values(reading, "stage") == ({} if expected is None else {"stage": expected})


def test_the_old_boolean_section_means_stage_1() -> None:
    assert values(read('{"zero_optimization": true, "train_batch_size": 8}', "ds.json"), "stage") == {
        "stage": 1
    }
    assert values(read('{"zero_optimization": 1, "train_batch_size": 8}', "ds.json"), "stage") == {}


@pytest.mark.parametrize(
    ("sections", "expected", "how"),
    [
        ('"bf16": {"enabled": true}', "bf16", "given"),
        ('"bfloat16": {"enabled": true}', "bf16", "given"),
        ('"fp16": {"enabled": true}, "bf16": {"enabled": false}', "fp16", "given"),
        ('"fp16": {"enabled": true}, "bf16": {"enabled": "auto"}', "fp16", "given"),
        ('"bf16": {"enabled": false}, "fp16": {"enabled": false}', "fp32", "given"),
        ('"bf16": {"enabled": false}', "fp32", "default"),
        ('"bf16": {}', "fp32", "default"),
        ('"fp16": {"enabled": "false"}, "bf16": {"enabled": 0}', "fp32", "given"),
        ('"torch_autocast": {"enabled": true, "dtype": "bfloat16"}', "autocast", "given"),
    ],
)
def test_precision(sections: str, expected: str, how: str) -> None:
    reading = read(f'{{"train_micro_batch_size_per_gpu": 1, {sections}}}', "ds.json")
    assert (reading.terms["precision"].value, standing(reading, "precision")) == (expected, how)


@pytest.mark.parametrize(
    "sections",
    [
        '"bf16": {"enabled": true}, "fp16": {"enabled": true}',
        '"bf16": {"enabled": "auto"}',
        '"bf16": {"enabled": "auto"}, "fp16": {"enabled": false}',
        '"fp16": {"enabled": "${FP16}"}',
        '"fp16": {"enabled": "maybe"}',
        '"fp16": true',
    ],
)
def test_no_precision_where_it_is_refused_or_open(sections: str) -> None:
    assert "precision" not in read(f'{{"train_micro_batch_size_per_gpu": 1, {sections}}}', "ds.json").terms


def test_open_values_state_nothing_and_are_listed() -> None:
    text = """
    {
      "train_batch_size": "auto",
      "train_micro_batch_size_per_gpu": "${MICRO}",
      "zero_optimization": {
        "stage": "auto", "offload_param": {"device": "auto"}, "reduce_bucket_size": "auto"
      }
    }
    """
    reading = read(text, "ds.json")
    assert values(reading, "train_batch", "micro_batch", "stage", "offload_param", "accumulation") == {}
    assert set(reading.auto) == {
        "train_batch_size",
        "train_micro_batch_size_per_gpu",
        "zero_optimization.stage",
        "zero_optimization.offload_param.device",
        "zero_optimization.reduce_bucket_size",
    }


def test_wrong_types_state_nothing() -> None:
    text = """
    {
      "train_batch_size": "32", "train_micro_batch_size_per_gpu": 1.5, "gradient_accumulation_steps": 0,
      "zero_optimization": {"stage": [3], "overlap_comm": "perhaps", "reduce_bucket_size": "5e8",
                            "offload_param": true},
      "optimizer": "Adam", "data_types": {"grad_accum_dtype": "fp64"}
    }
    """
    reading = read(text, "ds.json")
    silent = (
        "train_batch",
        "micro_batch",
        "accumulation",
        "stage",
        "options.overlap_comm",
        "options.reduce_bucket_size",
        "offload_param",
        "optimizer",
        "accum_dtype",
    )
    assert values(reading, *silent) == {}


def test_deprecated_offload_switches() -> None:
    text = '{"zero_optimization": {"stage": 2, "cpu_offload": true, "cpu_offload_param": false}}'
    assert values(read(text, "ds.json"), "offload_optimizer", "offload_param") == {
        "offload_optimizer": "cpu",
        "offload_param": "none",
    }


@pytest.mark.parametrize(("device", "known"), [("CPU", "cpu"), ("gpu", None), ("cpuu", None)])
def test_a_device_that_is_refused_is_no_place(device: str, known: str | None) -> None:
    text = f'{{"zero_optimization": {{"stage": 2, "offload_optimizer": {{"device": "{device}"}}}}}}'
    assert values(read(text, "ds.json"), "offload_optimizer").get("offload_optimizer") == known


def test_accumulation_is_not_assumed_where_it_is_derived() -> None:
    text = '{"train_batch_size": 32, "train_micro_batch_size_per_gpu": 4}'
    assert "accumulation" not in read(text, "ds.json").terms


def test_who_fills_auto() -> None:
    alone = read('{"zero_optimization": {"stage": 2}, "train_batch_size": 8}', "ds.json")
    assert not alone.consumer.known
    filled = read('{"zero_optimization": {"stage": 2}, "train_batch_size": "auto"}', "ds.json")
    assert (filled.consumer.value, filled.consumer.standing) == ("hf-trainer", "assumed")
    assert "ds.json:1" in filled.consumer.origin
    other = read('{"zero_optimization": {"stage": "auto"}, "train_batch_size": 8}', "ds.json")
    assert not other.consumer.known


@pytest.mark.parametrize(
    "text",
    [
        '{"train_batch_size": 8, "zero_optimisation": {"stage": 3}}',
        '{"train_batch_size": 8, "optimizer": {"type": "Adam"}, "offload_optimizer": {"device": "cpu"}}',
        '{"train_micro_batch_size_per_gpu": "auto", "autotuning": {"enabled": true}}',
        '{"train_batch_size": 8, "fp16": {"enabled": true}}',
        '{"optimizer": {"type": "Lamb"}, "fp16": null}',
        '{"optimizer": {"type": "Lamb"}, "fp16": {}}',
        '{"optimizer": {"type": "Lamb"}, "fp16": "auto", "train_batch_size": 8}',
        '{"train_batch_size": 8, "zero_optimization": ',
        '{"zero_optimization": {"st',
    ],
)
def test_recognised_misspelt_misplaced_and_half_typed(text: str) -> None:
    assert kind(text, "x.json") == "deepspeed"


@pytest.mark.parametrize(
    "text",
    [
        '{"train_batch_size": 8}',
        '{"train_batch_size": 8, "gradient_accumulation_steps": 2, "lr": 1e-4, "optimizer": "adamw"}',
        '{"fp16": true, "train_batch_size": 8}',
        '{"fp16": null, "train_batch_size": 8}',
        '{"optimizer": {"name": "adam"}, "fp16": null, "train_batch_size": 8}',
        '{"properties": {"zero_optimization": {"type": "object"}}}',
        '["zero_optimization"]',
        '"zero_optimization"',
        "",
    ],
)
def test_not_recognised(text: str) -> None:
    assert kind(text, "x.json") is None


def test_reading_never_raises_on_any_prefix() -> None:
    from shardlint.formats.deepspeed import FORMAT
    from shardlint.syntax.parse import parse

    for end in range(len(FULL)):
        FORMAT.read(parse(FULL[:end], "ds.json"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"steps_per_print": 1, "zero_optimisation": {"stage": 3}}', (0, "assumed")),
        ('{"steps_per_print": 1, "prescale_gradients": true, "ZeRO": {"stage": 3}}', (0, "assumed")),
        ('{"steps_per_print": 1, "my_own_key": 1, "prescale_gradients": true}', (0, "default")),
        ('{"bf16": {}, "zero_optimization": {"overlap_comm": true, "stge": 3}}', (0, "assumed")),
        ('{"bf16": {}, "zero_optimization": {"stge": 3}}', None),
        ('{"bf16": {}, "zero_optimization": {}}', (0, "default")),
        ('{"bf16": {}, "zero_optimization": {"overlap_comm": true}}', (0, "default")),
    ],
)
def test_a_default_stage_beside_keys_nobody_knows(text: str, found: tuple[int, str] | None) -> None:
    stage = read(text, "ds.json").terms.get("stage")
    assert (stage and (stage.value, stage.standing)) == found
