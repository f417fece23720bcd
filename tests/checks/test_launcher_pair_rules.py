"""Keys of an accelerate file that do not go together."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, facts, findings, fsdp, keys, told

NEW = facts(versions__accelerate="1.15.0")


@pytest.mark.parametrize(
    ("version", "kind", "fires"),
    [(2, "LOCAL_STATE_DICT", True), (1, "LOCAL_STATE_DICT", False), (2, "FULL_STATE_DICT", False)],
)
def test_local_state_dict(version: int, kind: str, fires: bool) -> None:
    found = told({**fsdp(version, state_dict_type=kind), **NEW}, "local-state-dict-under-fsdp2")
    assert found == ([("acc.yaml: fsdp_config.fsdp_state_dict_type", "error")] if fires else [])


@pytest.mark.parametrize(
    ("kind", "release", "level"),
    [
        ("LOCAL_STATE_DICT", None, "error"),
        ("LOCAL_STATE_DICT", ">=1.0", "warning"),
        ("LOCAL_STATE_DICT", "0.34.2", None),
        ("LOCAL_STATE_DICT", "1.6.0", "error"),
        ("FULL_STATE_DICT", "1.6.0", "error"),
        (1, "1.6.0", "error"),
        ("FULL_STATE_DICT", ">=1.6", "warning"),
        ("FULL_STATE_DICT", "1.7.0", None),
        ("FULL_STATE_DICT", None, None),
        ("FULL_STATE_DICT", "0.34.2", None),
        ("SHARDED_STATE_DICT", "1.6.0", None),
    ],
)
def test_state_dicts_by_release(kind: object, release: str | None, level: str | None) -> None:
    known = facts(versions__accelerate=release) if release else {}
    found = told({**fsdp(2, state_dict_type=kind), **known}, "local-state-dict-under-fsdp2")
    assert found == ([("acc.yaml: fsdp_config.fsdp_state_dict_type", level)] if level else [])


@pytest.mark.parametrize(
    ("version", "own", "release", "level"),
    [
        (2, None, NEW, "error"),
        (2, None, {}, "warning"),
        (2, None, facts(versions__accelerate="1.10.0"), None),
        (1, True, NEW, "error"),
        (2, True, NEW, None),
        (2, "${X}", NEW, None),
    ],
)
def test_activation_offload(version: int, own: object, release: dict[str, str], level: str | None) -> None:
    files = fsdp(version, activation_checkpointing_offload=True, activation_checkpointing=own)
    found = told({**files, **release}, "activation-offload-without-checkpointing")
    assert found == (
        [("acc.yaml: fsdp_config.fsdp_activation_checkpointing_offload", level)] if level else []
    )


def parallel(version: int = 2, kind: str = "FSDP", **sizes: object) -> dict[str, str]:
    lines = [f"  parallelism_config_{name}_size: {size}\n" for name, size in sizes.items()]
    section = f"fsdp_config:\n  fsdp_version: {version}\n  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n"
    return accelerate(kind, f"{section}parallelism_config:\n{''.join(lines)}", num_processes=8)


@pytest.mark.parametrize(
    ("cp", "sp", "fires"), [(2, 2, True), (2, 1, False), (1, 2, False), ("'${C}'", 2, False)]
)
def test_context_and_sequence(cp: object, sp: int, fires: bool) -> None:
    files = {**parallel(dp_shard=2, cp=cp, sp=sp), **NEW}
    found = told(files, "context-and-sequence-parallel")
    assert found == ([("acc.yaml: parallelism_config.parallelism_config_sp_size", "error")] if fires else [])


@pytest.mark.parametrize(
    ("version", "kind", "cp", "fires"),
    [(1, "FSDP", 2, True), (2, "FSDP", 2, False), (1, "FSDP", 1, False), (2, "MULTI_GPU", 2, True)],
)
def test_context_needs_fsdp2(version: int, kind: str, cp: int, fires: bool) -> None:
    found = keys(parallel(version, kind, dp_shard=4, cp=cp), "context-parallel-without-fsdp2")
    assert found == (["acc.yaml: parallelism_config.parallelism_config_cp_size"] if fires else [])


@pytest.mark.parametrize(
    ("stage", "flag", "fires"),
    [(2, "true", True), (3, "true", False), (2, "false", False), ("'${S}'", "true", False)],
)
def test_sharded_init(stage: object, flag: str, fires: bool) -> None:
    section = f"deepspeed_config:\n  zero_stage: {stage}\n  zero3_init_flag: {flag}\n"
    found = told(accelerate("DEEPSPEED", section), "sharded-init-below-stage-3")
    assert found == ([("acc.yaml: deepspeed_config.zero3_init_flag", "info")] if fires else [])


@pytest.mark.parametrize(
    ("policy", "own", "fires"),
    [
        ("NO_WRAP", True, True),
        (None, True, True),
        ("TRANSFORMER_BASED_WRAP", True, False),
        ("NO_WRAP", False, False),
    ],
)
def test_checkpointing_without_policy(policy: str | None, own: bool, fires: bool) -> None:
    found = keys(
        fsdp(1, auto_wrap_policy=policy, activation_checkpointing=own), "checkpointing-without-wrap-policy"
    )
    assert found == (["acc.yaml: fsdp_config.fsdp_activation_checkpointing"] if fires else [])


@pytest.mark.parametrize(
    ("flat", "lora", "consumer", "fires"),
    [
        (False, True, "accelerate", True),
        (True, True, "accelerate", False),
        (False, False, "accelerate", False),
        (False, True, "hf-trainer", False),
    ],
)
def test_frozen_base(flat: bool, lora: bool, consumer: str, fires: bool) -> None:
    files = {**fsdp(1, use_orig_params=flat), **facts(model__lora=lora, consumer=consumer)}
    found = keys(files, "frozen-with-flat-parameters")
    assert found == (["acc.yaml: fsdp_config.fsdp_use_orig_params"] if fires else [])


def test_version_2_keeps_parameters_apart() -> None:
    files = {**fsdp(2, use_orig_params=False), **facts(model__lora=True, consumer="accelerate")}
    assert findings(files, "frozen-with-flat-parameters") == []


@pytest.mark.parametrize(
    ("version", "optimizer", "fires"),
    [
        (2, "torch.optim.Adafactor", True),
        (1, "torch.optim.Adafactor", False),
        (2, "transformers.Adafactor", False),
    ],
)
def test_adafactor(version: int, optimizer: str, fires: bool) -> None:
    found = keys({**fsdp(version), **facts(code__optimizer=optimizer)}, "torch-adafactor-under-fsdp2")
    assert found == (["acc.yaml: fsdp_config.fsdp_version"] if fires else [])


@pytest.mark.parametrize(("version", "lora", "fires"), [(1, True, True), (2, True, False), (1, False, False)])
def test_gradients_of_frozen_parameters(version: int, lora: bool, fires: bool) -> None:
    found = told({**fsdp(version), **facts(model__lora=lora)}, "frozen-parameters-have-gradients")
    assert found == ([("acc.yaml: fsdp_config.fsdp_version", "info")] if fires else [])


@pytest.mark.parametrize(
    ("version", "kind", "sizes", "fires"),
    [
        (1, "FSDP", {"dp_shard": 4, "tp": 2}, True),
        (1, "FSDP", {"dp_shard": 1}, False),
        (1, "FSDP", {"dp_shard": 4, "cp": 2}, False),
        (2, "FSDP", {"dp_shard": 4, "tp": 2}, False),
        (1, "MULTI_GPU", {"dp_replicate": 8}, False),
        (1, "FSDP", {"dp_shard": "'${N}'"}, False),
    ],
)
def test_parallel_sizes_need_fsdp2(version: int, kind: str, sizes: dict[str, object], fires: bool) -> None:
    found = told(parallel(version, kind, **sizes), "parallel-sizes-under-fsdp1")
    assert found == ([("acc.yaml: parallelism_config", "error")] if fires else [])


def test_without_a_version_it_is_1() -> None:
    files = accelerate("FSDP", "fsdp_config: {}\nparallelism_config: {parallelism_config_dp_shard_size: 8}\n")
    assert told(files, "parallel-sizes-under-fsdp1") == [("acc.yaml: parallelism_config", "error")]


@pytest.mark.parametrize(
    ("kind", "backend", "section", "release", "told_at"),
    [
        ("FSDP", "AO", "fsdp_config: {fsdp_version: 2}\n", NEW, "fsdp_config error"),
        ("FSDP", "AO", "fsdp_config: {fsdp_cpu_ram_efficient_loading: false}\n", NEW, None),
        ("FSDP", "TE", "fsdp_config: {fsdp_version: 2}\n", NEW, None),
        ("FSDP", "MSAMP", "fsdp_config: {fsdp_version: 1}\n", NEW, "fp8_config.backend error"),
        (
            "DEEPSPEED",
            "MSAMP",
            "deepspeed_config: {zero_stage: 3}\n",
            NEW,
            "deepspeed_config.zero_stage error",
        ),
        ("DEEPSPEED", "MSAMP", "deepspeed_config: {zero_stage: 2}\n", NEW, None),
        (
            "DEEPSPEED",
            "MSAMP",
            "deepspeed_config: {zero_stage: 3}\n",
            {},
            "deepspeed_config.zero_stage warning",
        ),
        ("FSDP", "MSAMP", "fsdp_config: {fsdp_version: 1}\n", facts(versions__accelerate="1.6.0"), None),
    ],
)
def test_fp8_libraries(
    kind: str, backend: str, section: str, release: dict[str, str], told_at: str | None
) -> None:
    files = accelerate(kind, f"{section}fp8_config: {{backend: {backend}}}\n", mixed_precision="fp8")
    found = told({**files, **release}, "fp8-library-under-sharding")
    assert found == ([(f"acc.yaml: {told_at.split()[0]}", told_at.split()[1])] if told_at else [])


@pytest.mark.parametrize(
    ("attention", "fires"),
    [
        ("sdpa", False),
        ("kernels-community/flash-attn2", False),
        ("eager", True),
        ("auto", True),
        ("'${A}'", False),
    ],
)
def test_attention_under_sequence_parallelism(attention: str, fires: bool) -> None:
    sizes = {"sp": 2, "dp_replicate": 4}
    lines = [f"  parallelism_config_{name}_size: {size}\n" for name, size in sizes.items()]
    lines.append(f"  parallelism_config_sp_attn_implementation: {attention}\n")
    files = {**accelerate("DEEPSPEED", f"parallelism_config:\n{''.join(lines)}"), **NEW}
    found = told(files, "attention-without-sequence-parallel")
    place = "acc.yaml: parallelism_config.parallelism_config_sp_attn_implementation"
    assert found == ([(place, "error")] if fires else [])


@pytest.mark.parametrize("kind", [2, "2", "LOCAL_STATE_DICT"])
def test_a_state_dict_may_be_a_number(kind: object) -> None:
    found = told({**fsdp(2, state_dict_type=kind), **NEW}, "local-state-dict-under-fsdp2")
    assert found == [("acc.yaml: fsdp_config.fsdp_state_dict_type", "error")]


def test_the_later_spelling_counts() -> None:
    first = "fsdp_config:\n  version: 3\n  fsdp_version: 1\n"
    last = "fsdp_config:\n  fsdp_version: 1\n  version: 3\n"
    assert keys(accelerate("FSDP", first), "value-not-allowed") == []
    assert keys(accelerate("FSDP", last), "value-not-allowed") == ["acc.yaml: fsdp_config.version"]
