"""The Trainer's own FSDP switches, and what it refuses whatever the engine."""

from __future__ import annotations

import pytest

from checks.linting import deepspeed, facts, findings, told

TRAIN = "per_device_train_batch_size: 1\noutput_dir: out\n"
NEW, OLD = facts(versions__transformers="5.24.0"), facts(versions__transformers="4.57.6")


def train(*lines: str) -> dict[str, str]:
    return {"train.yaml": TRAIN + "".join(f"{line}\n" for line in lines)}


@pytest.mark.parametrize(
    ("words", "version", "release", "level"),
    [
        ("hybrid_shard", "2", NEW, "error"),
        ("no_shard", "2", {}, "warning"),
        ("hybrid_shard", None, NEW, "error"),
        ("hybrid_shard", None, OLD, None),
        ("hybrid_shard", None, {}, None),
        ("hybrid_shard", "1", NEW, None),
        ("full_shard auto_wrap", "2", NEW, None),
    ],
)
def test_words_of_version_1(
    words: str, version: str | None, release: dict[str, str], level: str | None
) -> None:
    lines = [f"fsdp: {words}", *(["fsdp_config:", f"  version: {version}"] if version else [])]
    found = told({**train(*lines), **release}, "strategy-word-under-fsdp2")
    assert found == ([("train.yaml: fsdp", level)] if level else [])


@pytest.mark.parametrize(
    ("reshard", "version", "release", "level"),
    [
        ("full_shard", 2, NEW, "error"),
        ("true", 2, NEW, None),
        ("true", 1, NEW, "error"),
        ("full_shard", 1, NEW, None),
        ("full_shard", 2, {}, "warning"),
        ("'${X}'", 2, NEW, None),
    ],
)
def test_reshard(reshard: str, version: int, release: dict[str, str], level: str | None) -> None:
    config = ["fsdp_config:", f"  version: {version}", f"  reshard_after_forward: {reshard}"]
    found = told({**train("fsdp: full_shard", *config), **release}, "reshard-against-fsdp-version")
    assert found == ([("train.yaml: fsdp_config.reshard_after_forward", level)] if level else [])


@pytest.mark.parametrize(
    ("size", "release", "level"),
    [("1000", OLD, "error"), ("1000", NEW, "warning"), ("0", OLD, None), ("'${N}'", OLD, None)],
)
def test_two_policies(size: str, release: dict[str, str], level: str | None) -> None:
    config = [
        "fsdp_config:",
        f"  min_num_params: {size}",
        "  transformer_layer_cls_to_wrap: LlamaDecoderLayer",
    ]
    found = told({**train("fsdp: full_shard auto_wrap", *config), **release}, "two-wrap-policies")
    assert found == ([("train.yaml: fsdp_config.min_num_params", level)] if level else [])


CONFIG = ("fsdp_config:", "  transformer_layer_cls_to_wrap: LlamaDecoderLayer")


@pytest.mark.parametrize(
    ("switch", "fires"),
    [(None, True), ("fsdp: ''", True), ("fsdp: full_shard", False), ("fsdp: '${FSDP}'", False)],
)
def test_config_alone(switch: str | None, fires: bool) -> None:
    found = told(train(*([switch] if switch else []), *CONFIG), "fsdp-config-without-fsdp")
    assert found == ([("train.yaml: fsdp_config", "warning")] if fires else [])


def test_config_beside_a_launcher_that_runs_fsdp() -> None:
    files = train(*CONFIG)
    files["acc.yaml"] = "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\n"
    files["shardlint.toml"] = '[[jobs]]\nfiles = ["train.yaml", "acc.yaml"]\n'
    assert findings(files, "fsdp-config-without-fsdp") == []


@pytest.mark.parametrize(
    ("consumer", "zero", "level"),
    [
        ("hf-trainer", False, "error"),
        ("accelerate", False, "error"),
        ("deepspeed", False, None),
        ("hf-trainer", True, None),
    ],
)
def test_zero_section(consumer: str, zero: bool, level: str | None) -> None:
    files = deepspeed(2, train_micro_batch_size_per_gpu="auto")
    if not zero:
        files = {"ds.json": '{"train_micro_batch_size_per_gpu": "auto", "bf16": {"enabled": "auto"}}'}
    found = told({**files, **facts(consumer=consumer)}, "no-zero-section")
    assert found == ([("ds.json: ", level)] if level else [])


def test_the_autotuner_writes_the_zero_section() -> None:
    files = {"ds.json": '{"train_micro_batch_size_per_gpu": "auto", "autotuning": {"enabled": true}}'}
    assert findings({**files, **facts(consumer="hf-trainer")}, "no-zero-section") == []


@pytest.mark.parametrize(
    ("lines", "level"),
    [
        (["optim: galore_adamw"], "error"),
        (["optim: apollo_adamw", "optim_target_modules: all-linear"], None),
        (["optim: galore_adamw", "deepspeed: ds.json"], "warning"),
        (["optim: adamw_torch"], None),
    ],
)
def test_target_modules(lines: list[str], level: str | None) -> None:
    found = told(train(*lines), "optimizer-without-target-modules")
    assert found == ([("train.yaml: optim", level)] if level else [])


@pytest.mark.parametrize(
    ("judged", "saved", "fires"),
    [
        ("epoch", "steps", True),
        ("epoch", "epoch", False),
        ("steps", "best", False),
        ("steps", "'${S}'", False),
    ],
)
def test_strategies(judged: str, saved: str, fires: bool) -> None:
    lines = ("load_best_model_at_end: true", f"eval_strategy: {judged}", f"save_strategy: {saved}")
    found = told(train(*lines), "best-model-strategies-differ")
    assert found == ([("train.yaml: save_strategy", "error")] if fires else [])


@pytest.mark.parametrize(
    ("tf32", "card", "fires"), [("true", 7.5, True), ("true", 8.0, False), ("false", 7.5, False)]
)
def test_tf32(tf32: str, card: float, fires: bool) -> None:
    files = {**train(f"tf32: {tf32}"), **facts(gpu__compute_capability=card)}
    found = told(files, "tf32-unsupported-by-gpu")
    assert found == ([("train.yaml: tf32", "error")] if fires else [])


@pytest.mark.parametrize(
    ("stage", "on", "fires"), [(3, "true", True), (2, "true", False), (3, "false", False)]
)
def test_unsloth(stage: int, on: str, fires: bool) -> None:
    files = train("finetuning_type: lora", f"use_unsloth: {on}", "deepspeed: ds.json")
    files |= deepspeed(stage, train_micro_batch_size_per_gpu="auto")
    found = told(files, "unsloth-with-zero3")
    assert found == ([("train.yaml: use_unsloth", "warning")] if fires else [])
