"""What the Trainer, accelerate and torch take depends on their releases and on who reads the file."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, deepspeed, facts, findings, fsdp, told

TRAIN = "per_device_train_batch_size: 1\noutput_dir: out\n"
NEW, OLD = facts(versions__transformers="5.24.0"), facts(versions__transformers="4.57.6")


def train(*lines: str) -> dict[str, str]:
    return {"train.yaml": TRAIN + "".join(f"{line}\n" for line in lines)}


@pytest.mark.parametrize(
    ("launcher", "release", "fires"),
    [
        ("nossh", "0.14.2", True),
        ("nossh", "0.14.5", False),
        ("nossh", None, False),
        ("pdsh", "0.14.2", False),
    ],
)
def test_nossh(launcher: str, release: str | None, fires: bool) -> None:
    section = f"deepspeed_config:\n  zero_stage: 2\n  deepspeed_multinode_launcher: {launcher}\n"
    files = accelerate("DEEPSPEED", section) | (facts(versions__deepspeed=release) if release else {})
    found = told(files, "launcher-too-new-for-deepspeed")
    assert found == ([("acc.yaml: deepspeed_config.deepspeed_multinode_launcher", "error")] if fires else [])


@pytest.mark.parametrize(
    ("version", "release", "level"),
    [(2, "2.4.1", "error"), (2, "2.5.1", "warning"), (2, "2.6.0", None), (2, None, None), (1, "2.4.1", None)],
)
def test_torch(version: int, release: str | None, level: str | None) -> None:
    files = fsdp(version) | (facts(versions__torch=release) if release else {})
    found = told(files, "torch-too-old-for-fsdp")
    assert found == ([("acc.yaml: fsdp_config.fsdp_version", level)] if level else [])


@pytest.mark.parametrize(
    ("steps", "consumer", "level"),
    [
        ("auto", None, "warning"),
        ("auto", "accelerate", "error"),
        ("auto", "hf-trainer", None),
        ("4", None, None),
        ("'4'", None, None),
        ("'${N}'", None, None),
    ],
)
def test_accumulation_of_the_launcher(steps: str, consumer: str | None, level: str | None) -> None:
    section = f"deepspeed_config:\n  zero_stage: 2\n  gradient_accumulation_steps: {steps}\n"
    files = accelerate("DEEPSPEED", section) | (facts(consumer=consumer) if consumer else {})
    found = told(files, "accumulation-not-a-number")
    place = "acc.yaml: deepspeed_config.gradient_accumulation_steps"
    assert found == ([(place, level)] if level else [])


@pytest.mark.parametrize(
    ("size", "word", "fires"), [(2, "eager", True), (2, "sdpa", False), (1, "eager", False)]
)
def test_attention_of_sequence_parallelism(size: int, word: str, fires: bool) -> None:
    keys = {"dp_shard_size": 4, "sp_size": size, "sp_attn_implementation": word}
    lines = [f"  parallelism_config_{name}: {value}\n" for name, value in keys.items()]
    files = accelerate("MULTI_GPU", f"parallelism_config:\n{''.join(lines)}")
    found = told({**files, **facts(versions__accelerate="1.15.0")}, "attention-without-sequence-parallel")
    place = "acc.yaml: parallelism_config.parallelism_config_sp_attn_implementation"
    assert found == ([(place, "error")] if fires else [])


@pytest.mark.parametrize(
    ("words", "release", "level"),
    [
        ("offload", OLD, "error"),
        ("full_shard shard_grad_op", OLD, "error"),
        ("offload", NEW, "warning"),
        ("full_shard offload auto_wrap", OLD, None),
        ("'${WORDS}'", OLD, None),
    ],
)
def test_words_that_exclude_each_other(words: str, release: dict[str, str], level: str | None) -> None:
    found = told({**train(f"fsdp: {words}"), **release}, "fsdp-words-conflict")
    assert found == ([("train.yaml: fsdp", level)] if level else [])


@pytest.mark.parametrize(
    ("sync", "release", "level"), [("false", OLD, "error"), ("false", NEW, "warning"), ("true", OLD, None)]
)
def test_loading_on_one_rank(sync: str, release: dict[str, str], level: str | None) -> None:
    config = ["fsdp_config:", "  cpu_ram_efficient_loading: true", f"  sync_module_states: {sync}"]
    found = told({**train("fsdp: full_shard", *config), **release}, "ram-efficient-trainer-without-sync")
    assert found == ([("train.yaml: fsdp_config.sync_module_states", level)] if level else [])


@pytest.mark.parametrize(
    ("switch", "release", "fires"),
    [("full_shard", NEW, True), ("true", NEW, False), ("full_shard", OLD, False), ("full_shard", {}, False)],
)
def test_old_form(switch: str, release: dict[str, str], fires: bool) -> None:
    files = {**train(f"fsdp: {switch}", "fsdp_config:", "  version: 2"), **release}
    assert told(files, "fsdp-word-list-deprecated") == ([("train.yaml: fsdp", "info")] if fires else [])


@pytest.mark.parametrize(
    ("rule", "line", "last", "first"),
    [
        ("fsdp-words-conflict", "fsdp: offload", "5.9.0", "5.10.0"),
        ("ram-efficient-trainer-without-sync", "fsdp: full_shard", "5.9.0", "5.10.0"),
        ("ram-efficient-trainer-without-sync", "fsdp: full_shard", "4.41.0", "4.40.2"),
    ],
)
def test_what_the_trainer_refuses_of_fsdp_up_to_5_9(rule: str, line: str, last: str, first: str) -> None:
    config = ["fsdp_config:", "  cpu_ram_efficient_loading: true", "  sync_module_states: false"]
    for release, level in ((last, "error"), (first, "warning")):
        found = told({**train(line, *config), **facts(versions__transformers=release)}, rule)
        assert [severity for _, severity in found] == [level]


@pytest.mark.parametrize(("release", "fires"), [("5.9.0", False), ("5.10.0", True)])
def test_fsdp_is_a_switch_since_5_10(release: str, fires: bool) -> None:
    files = {**train("fsdp: full_shard"), **facts(versions__transformers=release)}
    assert bool(told(files, "fsdp-word-list-deprecated")) == fires
    assert told(files, "fsdp-version-left-open") == []


@pytest.mark.parametrize(
    ("config", "fires"),
    [
        ("  xla_fsdp_grad_ckpt: true", True),
        ("  xla: true\n  xla_fsdp_grad_ckpt: true", False),
        ("  xla: false", False),
    ],
)
def test_xla(config: str, fires: bool) -> None:
    found = told(train("fsdp: full_shard", "fsdp_config:", config), "xla-checkpointing-without-xla")
    assert found == ([("train.yaml: fsdp_config.xla_fsdp_grad_ckpt", "warning")] if fires else [])


@pytest.mark.parametrize(("steps", "fires"), [(4, True), (1, False)])
def test_accumulation_twice(steps: int, fires: bool) -> None:
    config = "accelerator_config:\n  gradient_accumulation_kwargs:\n    num_steps: 2"
    found = told(train(f"gradient_accumulation_steps: {steps}", config), "accumulation-given-twice")
    place = "train.yaml: accelerator_config.gradient_accumulation_kwargs.num_steps"
    assert found == ([(place, "error")] if fires else [])


@pytest.mark.parametrize(
    ("words", "version", "release", "fires"),
    [
        ("shard_grad_op", 1, NEW, True),
        ("shard_grad_op", 1, OLD, False),
        ("full_shard", 1, NEW, False),
        ("shard_grad_op", 2, NEW, False),
    ],
)
def test_a_strategy_that_is_lost(words: str, version: int, release: dict[str, str], fires: bool) -> None:
    files = {**train(f"fsdp: {words}", "fsdp_config:", f"  version: {version}"), **release}
    assert told(files, "strategy-lost-under-fsdp1") == ([("train.yaml: fsdp", "warning")] if fires else [])


@pytest.mark.parametrize(
    ("stage", "consumer", "fires"),
    [("auto", "accelerate", True), (2, "accelerate", False), ("auto", "deepspeed", False)],
)
def test_open_stage(stage: int | str, consumer: str, fires: bool) -> None:
    files = {**deepspeed(stage, train_micro_batch_size_per_gpu=1), **facts(consumer=consumer)}
    found = told(files, "open-stage-is-2")
    assert found == ([("ds.json: zero_optimization.stage", "info")] if fires else [])


@pytest.mark.parametrize(
    ("version", "release", "fires"),
    [(None, {}, True), (None, NEW, False), (None, OLD, False), (1, {}, False)],
)
def test_open_version(version: int | None, release: dict[str, str], fires: bool) -> None:
    config = ["fsdp_config:", f"  version: {version}"] if version else []
    found = told({**train("fsdp: full_shard", *config), **release}, "fsdp-version-left-open")
    assert found == ([("train.yaml: fsdp", "info")] if fires else [])


@pytest.mark.parametrize(("line", "fires"), [("fsdp: full_shard", True), ("bf16: true", False)])
def test_two_places(line: str, fires: bool) -> None:
    files = {**train(line), **fsdp(1), "shardlint.toml": '[[jobs]]\nfiles = ["train.yaml", "acc.yaml"]\n'}
    assert told(files, "fsdp-in-two-places") == ([("train.yaml: fsdp", "warning")] if fires else [])


@pytest.mark.parametrize(("enabled", "fires"), [("auto", True), (True, False)])
def test_open_precision(enabled: object, fires: bool) -> None:
    files = deepspeed(2, train_micro_batch_size_per_gpu=1, bf16={"enabled": enabled})
    files |= accelerate("DEEPSPEED", "deepspeed_config:\n  deepspeed_config_file: ds.json\n")
    assert told(files, "open-precision-is-fp32") == ([("ds.json: bf16.enabled", "info")] if fires else [])


def test_no_launcher_no_claim_about_precision() -> None:
    files = deepspeed(2, train_micro_batch_size_per_gpu=1, bf16={"enabled": "auto"})
    assert findings({**files, **facts(consumer="accelerate")}, "open-precision-is-fp32") == []


@pytest.mark.parametrize(("word", "fires"), [("NO_SHARD", True), (3, True), ("FULL_SHARD", False)])
def test_no_shard(word: object, fires: bool) -> None:
    found = told(fsdp(1, sharding_strategy=word), "no-shard-is-replication")
    assert found == ([("acc.yaml: fsdp_config.fsdp_sharding_strategy", "info")] if fires else [])
