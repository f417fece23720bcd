"""What the Trainer and accelerate fill in, compare and refuse."""

from __future__ import annotations

from typing import Any

import pytest

from checks.linting import accelerate, deepspeed, facts, findings, fsdp, keys, only, told

MICRO = "train_micro_batch_size_per_gpu"
TRAIN = "per_device_train_batch_size: 1\noutput_dir: out\n"
LINKED = f"{TRAIN}deepspeed: ds.json\n"
MISMATCH = "trainer-value-mismatch"


@pytest.mark.parametrize(
    ("arguments", "body", "key"),
    [
        ("learning_rate: 5.0e-5", {"optimizer": {"params": {"lr": 1e-4}}}, "optimizer.params.lr"),
        ("learning_rate: 1.0e-4", {"optimizer": {"params": {"lr": 1e-4}}}, None),
        ("learning_rate: 1.0e-4", {"optimizer": {"params": {"lr": "auto"}}}, None),
        ("learning_rate: 1.0e-4", {"optimizer": {"params": {"lr": "${LR}"}}}, None),
        ("adam_epsilon: 1.0e-6", {"optimizer": {"params": {"eps": 1e-8}}}, "optimizer.params.eps"),
        ("adam_beta2: 0.95", {"optimizer": {"params": {"betas": [0.9, 0.999]}}}, "optimizer.params.betas"),
        ("adam_beta2: 0.95", {"optimizer": {"params": {"betas": [0.9, 0.95]}}}, None),
        (
            "weight_decay: 0.1",
            {"optimizer": {"params": {"weight_decay": 0}}},
            "optimizer.params.weight_decay",
        ),
        ("max_grad_norm: 0.5", {"gradient_clipping": 1.0}, "gradient_clipping"),
        ("max_grad_norm: 1.0", {"gradient_clipping": 1}, None),
        ("warmup_steps: 100", {"scheduler": {"params": {"warmup_num_steps": 10}}}, "warmup_num_steps"),
        ("warmup_ratio: 0.1", {"scheduler": {"params": {"warmup_num_steps": 10}}}, None),
        ("max_steps: 50", {"scheduler": {"params": {"total_num_steps": 60}}}, "total_num_steps"),
        ("max_steps: -1", {"scheduler": {"params": {"total_num_steps": 60}}}, None),
    ],
)
def test_values_that_must_be_equal(arguments: str, body: dict[str, object], key: str | None) -> None:
    files = {"train.yaml": f"{LINKED}{arguments}\n", **deepspeed(2, **{MICRO: "auto"}, **body)}
    found = told(files, MISMATCH)
    assert [(place.rpartition(" ")[2].endswith(key or "?"), level) for place, level in found] == (
        [(True, "error")] if key else []
    )


def test_an_assumed_trainer_gives_no_error() -> None:
    files = deepspeed(2, **{MICRO: "auto"}, optimizer={"params": {"lr": 1e-4}})
    files |= facts(training_args__learning_rate=5e-5)
    assert told(files, MISMATCH) == [("ds.json: optimizer.params.lr", "warning")]


def test_no_trainer_no_comparison() -> None:
    files = deepspeed(2, **{MICRO: 1}, optimizer={"params": {"lr": 1e-4}})
    files |= facts(training_args__learning_rate=5e-5, consumer="deepspeed")
    assert findings(files, MISMATCH) == []


JOB = {"shardlint.toml": '[[jobs]]\nfiles = ["train.yaml", "acc.yaml"]\n'}


@pytest.mark.parametrize(
    ("section", "keys_told"),
    [
        ("gradient_accumulation_steps: 4", ["gradient_accumulation_steps"]),
        ("gradient_accumulation_steps: 2", []),
        ("gradient_clipping: 1.0", ["gradient_clipping"]),
        ("gradient_clipping: 0.5", []),
        ("gradient_accumulation_steps: '${STEPS}'", []),
    ],
)
def test_the_launcher_and_the_arguments(section: str, keys_told: list[str]) -> None:
    files = accelerate("DEEPSPEED", f"deepspeed_config:\n  zero_stage: 2\n  {section}\n")
    files["train.yaml"] = f"{TRAIN}gradient_accumulation_steps: 2\nmax_grad_norm: 0.5\n"
    places = [f"acc.yaml: deepspeed_config.{key}" for key in keys_told]
    assert told({**files, **JOB}, MISMATCH) == [(place, "warning") for place in places]
    stated = {"shardlint.toml": f'[facts]\nlaunch.config_file = "acc.yaml"\n{JOB["shardlint.toml"]}'}
    assert told({**files, **stated}, MISMATCH) == [(place, "error") for place in places]


def test_no_steps() -> None:
    schedule = {"type": "WarmupDecayLR", "params": {"total_num_steps": 0}}
    place = "ds.json: scheduler.params.total_num_steps"
    assumed = deepspeed(2, **{MICRO: "auto"}, scheduler=schedule)
    assert told(assumed, "no-training-steps") == [(place, "warning")]
    assert told({**assumed, **facts(consumer="hf-trainer")}, "no-training-steps") == [(place, "error")]
    alone = deepspeed(2, **{MICRO: 1}, scheduler=schedule)
    assert told({**alone, **facts(consumer="deepspeed")}, "no-training-steps") == [(place, "warning")]
    schedule["params"] = {"total_num_steps": 100}
    assert keys(deepspeed(2, **{MICRO: "auto"}, scheduler=schedule), "no-training-steps") == []


AUTO = "auto-nobody-fills"


def test_deepspeed_alone_fills_nothing() -> None:
    files = deepspeed(2, **{MICRO: "auto"}, gradient_clipping="auto", bf16={"enabled": "auto"})
    files |= facts(consumer="deepspeed")
    assert told(files, AUTO) == [
        (f"ds.json: {MICRO}", "error"),
        ("ds.json: bf16.enabled", "warning"),
    ]
    first = findings(files, AUTO)[0]
    assert "gradient_clipping" in first.message and len(first.related) == 1


def test_clipping_fails_at_the_first_step() -> None:
    files = {**deepspeed(2, **{MICRO: 1}, gradient_clipping="auto"), **facts(consumer="deepspeed")}
    assert only(files, AUTO).fails_at == "first step"


def test_an_open_stage_is_stage_0() -> None:
    files = {**deepspeed("auto", **{MICRO: 1}), **facts(consumer="deepspeed")}
    assert "zero_optimization.stage is 0" in only(files, AUTO).message


@pytest.mark.parametrize(
    ("consumer", "betas", "overlap"),
    [("hf-trainer", False, True), ("accelerate", True, True), ("custom", False, False)],
)
def test_left_over_for_accelerate(consumer: str, betas: bool, overlap: bool) -> None:
    zero = {"stage": 2, "overlap_comm": "auto", "reduce_bucket_size": "auto"}
    body: dict[str, Any] = {"optimizer": {"type": "AdamW", "params": {"lr": "auto", "betas": "auto"}}}
    files = {**deepspeed(**{MICRO: "auto"}, zero_optimization=zero, **body), **facts(consumer=consumer)}
    assert keys(files, AUTO) == ["ds.json: zero_optimization.overlap_comm"] * overlap
    assert any("betas" in found.message for found in findings(files, AUTO)) is betas


def test_an_unknown_reader_gives_no_claim_about_auto() -> None:
    assert keys(deepspeed(2, **{MICRO: "auto"}, gradient_clipping="auto"), AUTO) == []


@pytest.mark.parametrize(
    ("has", "consumer", "level"), [(False, "hf-trainer", "error"), (True, "hf-trainer", "")]
)
def test_hidden_size(has: bool, consumer: str, level: str) -> None:
    files = deepspeed(**{MICRO: "auto"}, zero_optimization={"stage": 2, "reduce_bucket_size": "auto"})
    files |= facts(consumer=consumer, model__has_hidden_size=has)
    place = "ds.json: zero_optimization.reduce_bucket_size"
    assert told(files, "auto-without-hidden-size") == ([(place, level)] if level else [])


@pytest.mark.parametrize(
    ("micro", "consumer", "fires"), [("auto", "accelerate", True), (2, "accelerate", False)]
)
def test_batch_sampler(micro: object, consumer: str, fires: bool) -> None:
    files = {**deepspeed(2, **{MICRO: micro}), **facts(consumer=consumer, dataloader__batch_sampler=True)}
    found = told(files, "auto-batch-without-batch-size")
    assert found == ([(f"ds.json: {MICRO}", "error")] if fires else [])


SEARCH = "batch-size-search-when-sharded"


@pytest.mark.parametrize(
    ("stage", "version", "level"),
    [(3, "5.24.0", "error"), (3, None, "warning"), (2, "5.24.0", "warning")],
)
def test_batch_size_search(stage: int, version: str | None, level: str) -> None:
    files = {"train.yaml": f"{LINKED}auto_find_batch_size: true\n", **deepspeed(stage, **{MICRO: "auto"})}
    if version:
        files |= facts(versions__transformers=version)
    assert told(files, SEARCH) == [("train.yaml: auto_find_batch_size", level)]


def test_batch_size_search_without_an_engine() -> None:
    assert findings({"train.yaml": f"{TRAIN}auto_find_batch_size: true\nbf16: true\n"}, SEARCH) == []


ONCE_MORE, TWICE = "gradient-checkpointing-under-fsdp", "checkpointing-twice"


@pytest.mark.parametrize(
    ("words", "own", "once_more", "twice"),
    [
        ("full_shard auto_wrap", None, True, False),
        ("full_shard auto_wrap", "false", True, False),
        ("full_shard auto_wrap", "true", False, True),
        ("full_shard auto_wrap", "'${X}'", False, False),
        ("shard_grad_op auto_wrap", None, False, False),
        ("shard_grad_op auto_wrap", "true", False, True),
    ],
)
def test_checkpointing(words: str, own: str | None, once_more: bool, twice: bool) -> None:
    config = "fsdp_config:\n  transformer_layer_cls_to_wrap: LlamaDecoderLayer\n"
    config += f"  activation_checkpointing: {own}\n" if own else ""
    files = {"train.yaml": f"{TRAIN}gradient_checkpointing: true\nfsdp: {words}\n{config}"}
    place = "train.yaml: gradient_checkpointing"
    assert told(files, ONCE_MORE) == ([(place, "warning")] if once_more else [])
    assert told(files, TWICE) == ([(place, "error")] if twice else [])


def test_checkpointing_in_the_launchers_file() -> None:
    files = {**fsdp(1, sharding_strategy="FULL_SHARD", activation_checkpointing=True), **JOB}
    files["train.yaml"] = f"{TRAIN}gradient_checkpointing: true\n"
    assert told(files, TWICE) == [("train.yaml: gradient_checkpointing", "error")]
    files["train.yaml"] = f"{TRAIN}gradient_checkpointing: false\n"
    assert findings(files, TWICE) == findings(files, ONCE_MORE) == []
