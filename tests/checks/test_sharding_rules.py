"""Stages, FSDP versions and degrees, with the neighbours that must stay silent."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, deepspeed, facts, findings, fsdp, keys, only, told

MICRO = "train_micro_batch_size_per_gpu"


def zero(stage: object, **keys_: object) -> dict[str, str]:
    section = {**({} if stage is None else {"stage": stage}), **keys_}
    return deepspeed(None, **{MICRO: 1, "zero_optimization": section})


CPU, NONE = {"device": "cpu"}, {"device": "none"}


@pytest.mark.parametrize(
    ("stage", "section", "fires"),
    [
        (2, {"offload_param": CPU}, ["offload_param"]),
        (None, {"offload_param": CPU}, ["offload_param"]),
        (1, {"cpu_offload_param": True}, ["cpu_offload_param"]),
        (3, {"offload_param": CPU}, []),
        ("3", {"offload_param": CPU}, []),
        (2, {"offload_param": NONE}, []),
        (2, {"offload_param": {"device": "auto"}}, []),
        ("auto", {"offload_param": CPU}, []),
        ("${STAGE}", {"offload_param": CPU}, []),
        (2, {"offload_optimizer": CPU}, []),
    ],
)
def test_parameter_offload_needs_stage_3(stage: object, section: dict[str, object], fires: list[str]) -> None:
    found = told(zero(stage, **section), "offload-param-below-stage-3")
    assert found == [(f"ds.json: zero_optimization.{key}", "warning") for key in fires]


@pytest.mark.parametrize(
    ("block", "fires"),
    [
        ("zero_stage: 2\n  offload_param_device: cpu", True),
        ("offload_param_device: cpu", True),
        ("zero_stage: 3\n  offload_param_device: cpu", False),
        ("zero_stage: 2\n  offload_param_device: none", False),
    ],
)
def test_parameter_offload_in_accelerates_block(block: str, fires: bool) -> None:
    found = keys(accelerate("DEEPSPEED", f"deepspeed_config:\n  {block}\n"), "offload-param-below-stage-3")
    assert found == (["acc.yaml: deepspeed_config.offload_param_device"] if fires else [])


@pytest.mark.parametrize(
    ("stage", "fires"), [(0, True), (None, True), (1, False), (2, False), ("auto", False)]
)
def test_optimizer_offload_needs_zero(stage: object, fires: bool) -> None:
    found = told(zero(stage, offload_optimizer=CPU), "offload-optimizer-at-stage-0")
    assert found == ([("ds.json: zero_optimization.offload_optimizer", "warning")] if fires else [])


@pytest.mark.parametrize(
    ("version", "key", "value", "level"),
    [
        (2, "sharding_strategy", "SHARD_GRAD_OP", "warning"),
        (2, "sharding_strategy", "FULL_SHARD", "warning"),
        (2, "use_orig_params", True, "info"),
        (2, "use_orig_params", False, "warning"),
        (2, "sync_module_states", True, "info"),
        (2, "forward_prefetch", True, "warning"),
        (2, "backward_prefetch", "BACKWARD_PRE", "info"),
        (1, "sharding_strategy", "SHARD_GRAD_OP", None),
        (None, "use_orig_params", True, None),
        (2, "offload_params", True, None),
    ],
)
def test_fsdp1_keys_under_fsdp2(version: int | None, key: str, value: object, level: str | None) -> None:
    found = told(fsdp(version, **{key: value}), "fsdp1-key-under-fsdp2")
    assert found == ([(f"acc.yaml: fsdp_config.fsdp_{key}", level)] if level else [])


def test_the_prefix_is_optional() -> None:
    files = accelerate("FSDP", "fsdp_config:\n  version: 2\n  sharding_strategy: SHARD_GRAD_OP\n")
    assert keys(files, "fsdp1-key-under-fsdp2") == ["acc.yaml: fsdp_config.sharding_strategy"]


def test_an_fsdp_section_nobody_runs_is_left_alone() -> None:
    files = fsdp(2, kind="MULTI_GPU", sharding_strategy="SHARD_GRAD_OP", reshard_after_forward="FULL_SHARD")
    assert [f for f in findings(files) if f.code[:3] == "SHD"] == []


@pytest.mark.parametrize(
    ("strategy", "reshard", "fires"),
    [
        (None, "SHARD_GRAD_OP", True),
        ("FULL_SHARD", "SHARD_GRAD_OP", True),
        (None, "FULL_SHARD", False),
        ("SHARD_GRAD_OP", "SHARD_GRAD_OP", False),
        (None, True, False),
        (None, False, True),
        ("${STRATEGY}", "SHARD_GRAD_OP", False),
    ],
)
def test_reshard_under_fsdp1(strategy: str | None, reshard: object, fires: bool) -> None:
    found = told(fsdp(1, sharding_strategy=strategy, reshard_after_forward=reshard), "fsdp2-key-under-fsdp1")
    assert found == ([("acc.yaml: fsdp_config.fsdp_reshard_after_forward", "warning")] if fires else [])


@pytest.mark.parametrize(
    ("version", "value", "fires"),
    [
        (2, "FULL_SHARD", True),
        (2, 4, True),
        (2, True, False),
        (2, "false", False),
        (2, "${RESHARD}", False),
        (1, "FULL_SHARD", False),
    ],
)
def test_reshard_must_be_boolean(version: int, value: object, fires: bool) -> None:
    files, known = fsdp(version, reshard_after_forward=value), facts(versions__accelerate="1.15.0")
    place = "acc.yaml: fsdp_config.fsdp_reshard_after_forward"
    assert told({**files, **known}, "reshard-not-boolean") == ([(place, "error")] if fires else [])
    assert told(files, "reshard-not-boolean") == ([(place, "error")] if fires else [])
    doubtful = facts(versions__accelerate=">=1.0")
    assert told({**files, **doubtful}, "reshard-not-boolean") == ([(place, "warning")] if fires else [])
    assert told({**files, **facts(versions__accelerate="1.5.2")}, "reshard-not-boolean") == []


ONE_RANK = "one-rank-sharding"


@pytest.mark.parametrize(
    ("stage", "section", "world", "level"),
    [
        (3, {}, 1, "warning"),
        (2, {}, 1, "info"),
        (0, {}, 1, None),
        (3, {}, 2, None),
        (3, {"offload_optimizer": CPU}, 1, None),
        (3, {"offload_param": CPU}, 1, None),
        (3, {"offload_param": {"device": "${DEVICE}"}}, 1, "info"),
    ],
)
def test_one_rank(stage: int, section: dict[str, object], world: int, level: str | None) -> None:
    found = told({**zero(stage, **section), **facts(world_size=world)}, ONE_RANK)
    assert found == ([("ds.json: zero_optimization.stage", level)] if level else [])


def test_one_rank_of_fsdp() -> None:
    assert keys(fsdp(1, world=1, sharding_strategy="FULL_SHARD"), ONE_RANK)
    assert keys(fsdp(1, world=1, sharding_strategy="NO_SHARD"), ONE_RANK) == []
    assert keys(zero(3), ONE_RANK) == []


@pytest.mark.parametrize(
    ("policy", "extra", "level"),
    [
        ("NO_WRAP", {}, "warning"),
        (None, {}, "info"),
        ("SIZE_BASED_WRAP", {"min_num_params": 0}, "warning"),
        ("SIZE_BASED_WRAP", {"min_num_params": 100_000_000}, None),
        ("SIZE_BASED_WRAP", {}, None),
        ("TRANSFORMER_BASED_WRAP", {}, None),
        ("${POLICY}", {}, None),
        ("NO_WRAP", {"sharding_strategy": "NO_SHARD"}, None),
    ],
)
def test_whole_model_one_unit(policy: str | None, extra: dict[str, object], level: str | None) -> None:
    found = findings(fsdp(1, auto_wrap_policy=policy, **extra), "whole-model-one-unit")
    assert [f.severity.word for f in found] == ([level] if level else [])


def test_whole_model_one_unit_counts_what_is_gathered() -> None:
    launched = fsdp(1, auto_wrap_policy="NO_WRAP")
    launched["acc.yaml"] += "mixed_precision: bf16\n"
    found = only({**launched, **facts(model__params=6_740_000_000)}, "whole-model-one-unit")
    assert "12.55 GiB in bf16" in found.message


def test_the_trainers_own_fsdp_arguments_decide_the_wrapping() -> None:
    trainer = "per_device_train_batch_size: 1\noutput_dir: out\nfsdp: full_shard auto_wrap\n"
    jobs = '[[jobs]]\nfiles = ["acc.yaml", "train.yaml"]\n'
    files = {**fsdp(1, auto_wrap_policy="NO_WRAP"), "train.yaml": trainer, "shardlint.toml": jobs}
    assert keys(files, "whole-model-one-unit") == []


@pytest.mark.parametrize(("params", "fires"), [(12_500_000, True), (67_000_000, True), (68_000_000, False)])
def test_tiny_models(params: int, fires: bool) -> None:
    found = told(
        {**fsdp(1, sharding_strategy="FULL_SHARD"), **facts(model__params=params)}, "tiny-model-sharded"
    )
    assert found == ([("acc.yaml: fsdp_config.fsdp_sharding_strategy", "info")] if fires else [])


def mesh(world: int = 8, version: int = 2, kind: str = "FSDP", **sizes: object) -> dict[str, str]:
    files = fsdp(version, kind, world)
    lines = [f"  parallelism_config_{name}_size: {size}" for name, size in sizes.items()]
    files["acc.yaml"] += "\n".join(["parallelism_config:", *lines, ""])
    return files


PRODUCT = "parallelism-product-mismatch"


@pytest.mark.parametrize(
    ("sizes", "fires"),
    [
        ({"dp_replicate": 1, "dp_shard": 4}, True),
        ({"dp_replicate": 2, "dp_shard": 4}, False),
        ({"dp_shard": 2, "tp": 2, "cp": 2}, False),
        ({"dp_shard": 2, "tp": 3}, True),
        ({"dp_shard": 1}, False),
        ({"dp_shard": 2, "sp": 2}, False),
        ({"dp_shard": "${SHARD}"}, False),
    ],
)
def test_mesh_product(sizes: dict[str, object], fires: bool) -> None:
    found = told(mesh(**sizes), PRODUCT)
    assert found == (
        [("acc.yaml: parallelism_config.parallelism_config_dp_shard_size", "error")] if fires else []
    )


@pytest.mark.parametrize(
    ("sizes", "version", "fires"),
    [
        ({"dp_shard": 1, "tp": 8}, 2, True),
        ({"dp_shard": 1, "cp": 8}, 2, False),
        ({"dp_shard": 2, "tp": 4}, 2, False),
        ({"dp_shard": 1, "tp": 8}, 1, False),
        ({"dp_shard": 1, "tp": 1}, 2, False),
    ],
)
def test_fsdp2_needs_a_shard_dimension(sizes: dict[str, object], version: int, fires: bool) -> None:
    found = told(mesh(version=version, **sizes), "fsdp2-without-shard-dimension")
    assert found == (
        [("acc.yaml: parallelism_config.parallelism_config_dp_shard_size", "error")] if fires else []
    )


@pytest.mark.parametrize(
    ("sizes", "fires"),
    [
        ({"dp_replicate": 2, "tp": 4}, True),
        ({"dp_replicate": 2, "dp_shard": 2, "tp": 2}, False),
        ({"dp_replicate": 8}, False),
    ],
)
def test_replicas_need_a_shard_dimension(sizes: dict[str, object], fires: bool) -> None:
    found = told(mesh(kind="MULTI_GPU", **sizes), "replicas-without-shard-dimension")
    key = "acc.yaml: parallelism_config.parallelism_config_dp_replicate_size"
    assert found == ([(key, "error")] if fires else [])


@pytest.mark.parametrize(
    ("block", "consumer", "level"),
    [
        ({"partition_activations": True}, "hf-trainer", "warning"),
        ({"partition_activations": True}, None, "info"),
        ({"partition_activations": True}, "deepspeed", None),
        ({"partition_activations": False}, "hf-trainer", None),
        ({}, "hf-trainer", None),
    ],
)
def test_activation_checkpointing_block(
    block: dict[str, object], consumer: str | None, level: str | None
) -> None:
    files = deepspeed(2, **{MICRO: 1}, activation_checkpointing=block)
    found = told(
        {**files, **(facts(consumer=consumer) if consumer else {})}, "unread-activation-checkpointing"
    )
    assert found == ([("ds.json: activation_checkpointing", level)] if level else [])


@pytest.mark.parametrize(
    ("lines", "fires"),
    [
        ("fsdp: full_shard\ndeepspeed: ds.json\n", True),
        ("fsdp: ''\ndeepspeed: ds.json\n", False),
        ("fsdp: full_shard\n", False),
        ("fsdp: full_shard\ndeepspeed:\n", False),
        ("fsdp: ${FSDP}\ndeepspeed: ds.json\n", False),
    ],
)
def test_two_engines(lines: str, fires: bool) -> None:
    trainer = f"per_device_train_batch_size: 1\noutput_dir: out\n{lines}"
    found = told({"train.yaml": trainer, **deepspeed(2, **{MICRO: "auto"})}, "two-sharding-engines")
    assert found == ([("train.yaml: fsdp", "error")] if fires else [])


@pytest.mark.parametrize(
    ("keys_", "level"),
    [
        ({"sync_module_states": False, "cpu_ram_efficient_loading": True}, "error"),
        ({"sync_module_states": False, "cpu_ram_efficient_loading": "false"}, "error"),
        ({"sync_module_states": False}, "warning"),
        ({"sync_module_states": False, "cpu_ram_efficient_loading": False}, None),
        ({"sync_module_states": True, "cpu_ram_efficient_loading": True}, None),
        ({"sync_module_states": "false", "cpu_ram_efficient_loading": True}, None),
    ],
)
def test_ram_efficient_loading(keys_: dict[str, object], level: str | None) -> None:
    found = told(fsdp(1, **keys_), "ram-efficient-loading-without-sync")
    assert found == ([("acc.yaml: fsdp_config.fsdp_sync_module_states", level)] if level else [])
