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
    found = told(fsdp(version, state_dict_type=kind), "local-state-dict-under-fsdp2")
    assert found == ([("acc.yaml: fsdp_config.fsdp_state_dict_type", "error")] if fires else [])


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
