"""Words of training arguments: what TrainingArguments makes an enum of, and in which releases."""

from __future__ import annotations

import pytest

from checks.linting import facts, findings, keys, only
from shardlint.schema import check_value, table

RULE = "value-not-allowed"
TRAIN = "model_name_or_path: a/b\nlearning_rate: 1.0e-5\noutput_dir: out\nlogging_steps: 10\n"


def train(line: str, release: str | None = None) -> dict[str, str]:
    known = facts(versions__transformers=release) if release else {}
    return {"train.yaml": f"{TRAIN}{line}\n", **known}


@pytest.mark.parametrize(
    ("line", "meant", "fails_at"),
    [
        ("lr_scheduler_type: cosin", "cosine", "config"),
        ("save_strategy: epochs", "epoch", "config"),
        ("logging_strategy: step", "steps", "config"),
        ("eval_strategy: Steps", "steps", "config"),
        ("hub_strategy: every_sav", "every_save", "config"),
        ("debug: underflow_overflw", "underflow_overflow", "config"),
        ("fsdp: full_shard,auto_wrap", "full_shard auto_wrap", "config"),
        ("log_level: errors", "error", "engine"),
    ],
)
def test_a_slip_is_refused_and_mended(line: str, meant: str, fails_at: str) -> None:
    found = only(train(line), RULE)
    assert (found.severity.word, found.fails_at) == ("error", fails_at)
    assert found.message.endswith(f"did you mean {meant}?")
    (fix,) = found.fixes
    assert fix.safe and [edit.text for edit in fix.edits] == [meant]


@pytest.mark.parametrize("word", ["cosin", "sinus", "COSINE"])
def test_many_words_are_counted(word: str) -> None:
    found = only(train(f"lr_scheduler_type: {word}"), RULE)
    assert "is not one of 12 known words; the Trainer refuses to start" in found.message


def test_a_word_near_to_none_has_no_fix() -> None:
    found = only(train("lr_scheduler_type: sinus"), RULE)
    assert found.severity.word == "error" and found.fixes == () and "mean" not in found.message


@pytest.mark.parametrize(
    "line",
    [
        "lr_scheduler_type: cosine",
        "save_strategy: steps",
        "eval_strategy: 'no'",
        "debug: underflow_overflow tpu_metrics_debug",
        "debug: [anything]",
        "debug: ''",
        "fsdp: [FULL_SHARD, auto_wrap]",
        "log_level: passive",
        "lr_scheduler_type: ${SCHEDULE}",
    ],
)
def test_words_that_are_taken(line: str) -> None:
    assert keys(train(line), RULE) == []


@pytest.mark.parametrize(
    ("line", "before", "since"),
    [
        ("lr_scheduler_type: cosine_with_min_lr", "4.39.3", "4.40.0"),
        ("lr_scheduler_type: warmup_stable_decay", "4.40.2", "4.41.0"),
        ("lr_scheduler_type: cosine_warmup_with_min_lr", "4.53.3", "4.54.0"),
        ("lr_scheduler_type: greedy", "5.3.0", "5.4.0"),
        ("save_strategy: best", "4.46.3", "4.47.0"),
        ("optim: galore_adamw", "4.38.2", "4.39.0"),
        ("optim: lomo", "4.41.2", "4.42.0"),
        ("optim: ademamix", "4.44.2", "4.45.0"),
        ("optim: apollo_adamw", "4.48.3", "4.49.0"),
    ],
)
def test_a_word_needs_its_release(line: str, before: str, since: str) -> None:
    assert keys(train(line, since), RULE) == []
    old = only(train(line, before), RULE)
    assert old.severity.word == "error" and f"came with transformers {since}" in old.message
    either = only(train(line), RULE)
    assert either.severity.word == "warning" and f"transformers before {since}" in either.message


@pytest.mark.parametrize(
    ("line", "last", "gone"),
    [("optim: adamw_hf", "4.49.0", "4.50.0"), ("optim: adamw_apex_fused", "5.7.0", "5.8.0")],
)
def test_a_word_goes_with_a_release(line: str, last: str, gone: str) -> None:
    assert keys(train(line, last), RULE) == []
    assert f"gone since transformers {gone}" in only(train(line, gone), RULE).message


@pytest.mark.parametrize(
    ("line", "taken", "refused"),
    [
        ("fsdp: FULL_SHARD", "5.10.0", "5.9.0"),
        ("fsdp: [full_shard, wrap]", "5.9.0", "5.10.0"),
    ],
)
def test_fsdp_words_are_checked_otherwise_since_5_10(line: str, taken: str, refused: str) -> None:
    assert keys(train(line, taken), RULE) == []
    assert only(train(line, refused), RULE).severity.word == "error"
    assert only(train(line), RULE).severity.word == "warning"


def test_a_fix_is_safe_only_where_every_release_has_the_word() -> None:
    (unsafe,) = only(train("lr_scheduler_type: greedi"), RULE).fixes
    (safe,) = only(train("lr_scheduler_type: greedi", "5.24.0"), RULE).fixes
    assert not unsafe.safe and safe.safe


@pytest.mark.parametrize("name", ["lr_scheduler_type", "save_strategy", "hub_strategy", "optim"])
def test_null_is_refused(name: str) -> None:
    assert [f.severity.word for f in findings(train(f"{name}: null"), "wrong-type")] == ["error"]


@pytest.mark.parametrize(
    ("name", "since", "removed"),
    [
        ("eval_strategy", "4.41.0", ""),
        ("optim_target_modules", "4.39.0", ""),
        ("average_tokens_across_devices", "4.46.2", ""),
        ("parallelism_config", "4.56.0", ""),
        ("tp_size", "4.50.0", "4.52.0"),
        ("train_sampling_strategy", "5.2.0", ""),
        ("ddp_static_graph", "5.6.0", ""),
        ("dataloader_in_order", "5.15.0", ""),
        ("activation_checkpointing", "5.23.0", ""),
        ("dispatch_batches", "", "4.51.0"),
        ("accelerator_config", "", ""),
        ("fsdp_config.version", "5.0.0", ""),
        ("fsdp_config.auto_wrap_policy", "5.10.0", ""),
        ("fsdp_config.cpu_ram_efficient_loading", "4.41.0", ""),
    ],
)
def test_the_releases_of_an_argument(name: str, since: str, removed: str) -> None:
    key = table("hf-trainer").find(name)
    assert key is not None and (key.since, key.removed) == (since, removed)


def test_debug_is_only_checked_as_text() -> None:
    key = table("hf-trainer").find("debug")
    assert key is not None and check_value(key, ["x"]) is None and check_value(key, None) is None
    problem = check_value(key, "tpu_metrics_debug x")
    assert problem is not None and problem.refused and "underflow_overflow" in problem.expected


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("auto_wrap_policy: TRANSFORMER_BASED", "it is refused where fsdp is on"),
        ("state_dict_type: FULL", "it is refused where fsdp is on"),
        ("version: 3", "the Trainer does not check it"),
    ],
)
def test_words_of_fsdp_config(line: str, said: str) -> None:
    found = only(train(f"fsdp: true\nfsdp_config:\n  {line}"), RULE)
    assert found.severity.word == "warning" and said in found.message
