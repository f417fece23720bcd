"""Launcher configs of accelerate, for each kind of distribution."""

from __future__ import annotations

import pytest

from formats.reading_helper import kind, read, standing, values

HEAD = "compute_environment: LOCAL_MACHINE\nnum_machines: 2\nnum_processes: 16\n"
DEEPSPEED = (
    HEAD
    + """\
distributed_type: DEEPSPEED
mixed_precision: bf16
deepspeed_config:
  zero_stage: 3
  offload_optimizer_device: cpu
  offload_param_device: none
  gradient_accumulation_steps: 4
  gradient_clipping: 1.0
  zero3_init_flag: true
  deepspeed_hostfile: hosts/all
"""
)
FSDP1 = (
    HEAD
    + """\
distributed_type: FSDP
mixed_precision: 'no'
fsdp_config:
  fsdp_sharding_strategy: HYBRID_SHARD
  fsdp_offload_params: true
  fsdp_auto_wrap_policy: transformer_based_wrap
  fsdp_use_orig_params: false
  fsdp_activation_checkpointing: true
  fsdp_transformer_layer_cls_to_wrap: LlamaDecoderLayer
"""
)
FSDP2 = (
    HEAD
    + """\
distributed_type: FSDP
mixed_precision: bf16
fsdp_config:
  fsdp_version: 2
  fsdp_reshard_after_forward: false
parallelism_config:
  parallelism_config_dp_replicate_size: 2
  parallelism_config_dp_shard_size: 2
  parallelism_config_tp_size: 2
  parallelism_config_cp_size: 2
  dp_shard_size: 7
"""
)


def test_deepspeed_block() -> None:
    reading = read(DEEPSPEED, "acc.yaml")
    stated = {
        "framework": "deepspeed",
        "world": 16,
        "nodes": 2,
        "precision": "bf16",
        "stage": 3,
        "offload_optimizer": "cpu",
        "offload_param": "none",
        "accumulation": 4,
        "options.gradient_clipping": 1.0,
        "options.zero3_init_flag": True,
    }
    assert values(reading, *stated) == stated
    assert [(r.kind, r.target) for r in reading.references] == [("hostfile", "hosts/all")]
    assert reading.consumer.value == "accelerate"


def test_deepspeed_defaults() -> None:
    reading = read(HEAD + "distributed_type: DEEPSPEED\n", "acc.yaml")
    defaults = {"stage": 2, "offload_optimizer": "none", "offload_param": "none", "precision": "fp32"}
    assert values(reading, *defaults) == defaults
    assert {standing(reading, term) for term in defaults} == {"default"}
    assert reading.terms["stage"].origin == "accelerate default"


def test_a_deepspeed_file_of_its_own_takes_the_defaults_away() -> None:
    text = HEAD + "distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: ds/zero3.json\n"
    reading = read(text, "acc.yaml")
    assert values(reading, "framework", "stage", "offload_param") == {"framework": "deepspeed"}
    [reference] = reading.references
    assert (reference.kind, reference.target) == ("deepspeed", "ds/zero3.json")
    assert reference.entry.key == "deepspeed_config.deepspeed_config_file"


def test_fsdp_1() -> None:
    reading = read(FSDP1, "acc.yaml")
    stated = {
        "framework": "fsdp1",
        "strategy": "HYBRID_SHARD",
        "offload_param": "cpu",
        "offload_optimizer": "cpu",
        "wrap": "TRANSFORMER_BASED_WRAP",
        "checkpointing": True,
        "precision": "fp32",
        "options.fsdp_use_orig_params": False,
        "options.fsdp_transformer_layer_cls_to_wrap": "LlamaDecoderLayer",
    }
    assert values(reading, *stated) == stated
    assert {standing(reading, term) for term in stated} == {"given"}
    assert "reshard" not in reading.terms


def test_fsdp_1_defaults() -> None:
    reading = read(HEAD + "distributed_type: FSDP\n", "acc.yaml")
    defaults = {
        "strategy": "FULL_SHARD",
        "wrap": "NO_WRAP",
        "offload_param": "none",
        "options.fsdp_use_orig_params": True,
        "options.fsdp_state_dict_type": "FULL_STATE_DICT",
    }
    assert values(reading, *defaults) == defaults
    assert {standing(reading, term) for term in defaults} == {"default"}


def test_fsdp_1_ignores_the_key_of_version_2() -> None:
    text = HEAD + "distributed_type: FSDP\nfsdp_config:\n  fsdp_reshard_after_forward: SHARD_GRAD_OP\n"
    reading = read(text, "acc.yaml")
    assert values(reading, "strategy", "reshard") == {"strategy": "FULL_SHARD"}


def test_fsdp_2_and_degrees() -> None:
    stated = {
        "framework": "fsdp2",
        "reshard": False,
        "replicate": 2,
        "shard": 2,
        "tensor": 2,
        "context": 2,
        "wrap": "NO_WRAP",
    }
    reading = read(FSDP2, "acc.yaml")
    assert values(reading, *stated, "strategy") == stated


def test_fsdp_2_reshards_by_default() -> None:
    reading = read(HEAD + "distributed_type: FSDP\nfsdp_config: {fsdp_version: '2'}\n", "acc.yaml")
    assert values(reading, "framework", "reshard") == {"framework": "fsdp2", "reshard": True}


@pytest.mark.parametrize(
    ("written", "strategy"),
    [
        ("1", "FULL_SHARD"),
        ("'2'", "SHARD_GRAD_OP"),
        ("5", "HYBRID_SHARD_ZERO2"),
        ("_HYBRID_SHARD_ZERO2", "HYBRID_SHARD_ZERO2"),
        ("no_shard", "NO_SHARD"),
        ("6", None),
        ("FULLSHARD", None),
        ("${STRATEGY}", None),
    ],
)
def test_names_of_a_strategy(written: str, strategy: str | None) -> None:
    text = HEAD + f"distributed_type: FSDP\nfsdp_config:\n  fsdp_sharding_strategy: {written}\n"
    assert values(read(text, "acc.yaml"), "strategy") == ({} if strategy is None else {"strategy": strategy})


@pytest.mark.parametrize(
    ("kind_of_run", "framework", "world"),
    [
        ("'NO'", "single", 1),
        ("NO", "single", 1),
        ("MULTI_GPU", "ddp", 16),
        ("MULTI_NPU", "ddp", 16),
        ("MEGATRON_LM", "megatron", 16),
        ("XLA", None, 16),
        ("fsdp", None, 16),
    ],
)
def test_kinds(kind_of_run: str, framework: str | None, world: int) -> None:
    reading = read(HEAD + f"distributed_type: {kind_of_run}\n", "acc.yaml")
    expected = {"world": world} if framework is None else {"framework": framework, "world": world}
    assert values(reading, "framework", "world") == expected


def test_megatron_degrees() -> None:
    text = (
        HEAD
        + """\
distributed_type: MEGATRON_LM
megatron_lm_config:
  megatron_lm_tp_degree: 4
  megatron_lm_pp_degree: 2
  megatron_lm_use_distributed_optimizer: true
"""
    )
    reading = read(text, "acc.yaml")
    assert values(reading, "tensor", "pipeline", "options.megatron_lm_use_distributed_optimizer") == {
        "tensor": 4,
        "pipeline": 2,
        "options.megatron_lm_use_distributed_optimizer": True,
    }


def test_sagemaker_states_no_ranks() -> None:
    text = """
    compute_environment: AMAZON_SAGEMAKER
    distributed_type: NO
    num_machines: 2
    mixed_precision: fp8
    """
    reading = read(text, "acc.yaml")
    assert values(reading, "framework", "world", "nodes", "precision") == {"nodes": 2, "precision": "fp8"}


def test_json_is_read_like_yaml() -> None:
    text = '{"distributed_type": "FSDP", "num_processes": 4, "fsdp_config": {"fsdp_version": 2}}'
    assert values(read(text, "acc.json"), "framework", "world") == {"framework": "fsdp2", "world": 4}


def test_wrong_types_and_placeholders_state_nothing() -> None:
    text = """\
    distributed_type: DEEPSPEED
    num_processes: ${WORLD}
    num_machines: two
    mixed_precision: no
    deepspeed_config:
      zero_stage: three
      gradient_accumulation_steps: auto
      offload_param_device: [cpu]
    """
    reading = read(text, "acc.yaml")
    silent = ("world", "nodes", "precision", "stage", "accumulation", "offload_param")
    assert values(reading, *silent) == {}
    assert set(reading.auto) == {"num_processes", "deepspeed_config.gradient_accumulation_steps"}


def test_the_launcher_completes_short_fsdp_keys() -> None:
    text = HEAD + "distributed_type: FSDP\nfsdp_config:\n  version: 2\n  reshard_after_forward: false\n"
    assert values(read(text, "acc.yaml"), "framework", "reshard") == {"framework": "fsdp2", "reshard": False}


def test_recognised_without_its_required_key() -> None:
    text = "machine_rank: 0\nnum_machines: 1\nnum_processes: 8\ndowncast_bf16: no\n"
    assert kind(text, "acc.yaml") == "accelerate"
    assert kind("compute_environment: LOCAL_MACHINE\nnum_processes: 8\n", "acc.yaml") == "accelerate"


def test_not_recognised() -> None:
    assert kind("distributed_type: uniform\nsamples: 3\n", "x.yaml") is None
    assert kind("num_processes: 8\nmixed_precision: fp16\n", "x.yaml") is None
    assert kind("compute_environment: cluster\nnum_processes: 8\n", "x.yaml") is None


def test_reading_never_raises_on_any_prefix() -> None:
    from shardlint.formats.accelerate import FORMAT
    from shardlint.syntax.parse import parse

    for text in (DEEPSPEED, FSDP2):
        for end in range(0, len(text), 3):
            FORMAT.read(parse(text[:end], "acc.yaml"))


@pytest.mark.parametrize(
    ("processes", "machines", "world"),
    [(15, 2, (14, "derived")), (16, 2, (16, "given")), (1, 2, (None, "derived"))],
)
def test_processes_the_launcher_drops_are_no_ranks(
    processes: int, machines: int, world: tuple[int | None, str]
) -> None:
    text = f"distributed_type: MULTI_GPU\nnum_machines: {machines}\nnum_processes: {processes}\n"
    fact = read(f"compute_environment: LOCAL_MACHINE\n{text}", "acc.yaml").terms["world"]
    assert (fact.value, fact.standing) == world
