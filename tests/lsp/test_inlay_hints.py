"""Inlay hints, drawn into the text: `3 ‹13.04 GiB/rank›`."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from corpus import corpus_bytes, manifest, requires_corpus
from lsp.looks import FULL, look_at
from shardlint.syntax.tree import Span
from shardlint_lsp.client import Client
from shardlint_lsp.features.inlay_hints import hints, resolved, shown
from shardlint_lsp.hints.hint import LONGEST
from shardlint_lsp.look import Look
from shardlint_lsp.preferences import Preferences, preferences_of

FACTS = '[facts]\nmodel.params = "7B"\nmodel.hidden_size = 4096\nworld_size = 8\n'
RANKS = {"shardlint.toml": FACTS}
DS = """{
  "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 4,
  "bf16": {"enabled": true},
  "zero_optimization": {
    "stage": 3, // all of it
    "reduce_bucket_size": 5e8
  }
}
"""
AUTO = """{
  "train_batch_size": "auto",
  "train_micro_batch_size_per_gpu": "auto",
  "gradient_accumulation_steps": "auto",
  "gradient_clipping": "auto",
  "bf16": {"enabled": "auto"},
  "fp16": {"enabled": "auto"},
  "optimizer": {
    "type": "AdamW",
    "params": {
      "lr": "auto",
      "betas": "auto"
    }
  },
  "scheduler": {
    "type": "WarmupDecayLR",
    "params": {
      "warmup_min_lr": "auto",
      "warmup_num_steps": "auto",
      "total_num_steps": "auto"
    }
  },
  "zero_optimization": {
    "stage": 3,
    "reduce_bucket_size": "auto",
    "stage3_prefetch_bucket_size": "auto",
    "stage3_param_persistence_threshold": "auto"
  }
}
"""
TRAIN = """output_dir: out
num_train_epochs: 1
per_device_train_batch_size: 4
gradient_accumulation_steps: 8
learning_rate: 1.0e-5
warmup_steps: 100
bf16: true
deepspeed: ds.json
"""
FSDP = """compute_environment: LOCAL_MACHINE
distributed_type: FSDP
fsdp_config:
  fsdp_version: 1
  fsdp_sharding_strategy: {strategy}
mixed_precision: bf16
num_machines: 2
num_processes: {ranks}
"""


def drawn(look: Look) -> dict[str, str]:
    """The hints by the line they stand in, without its indent and comma."""
    text = look.document.text
    lines: dict[str, str] = {}
    for hint in hints(look, Span(0, len(text))):
        start = text.rfind("\n", 0, hint.at) + 1
        lines[text[start : hint.at].strip().rstrip(",").strip()] = hint.text
    return lines


def hinted(files: Mapping[str, str], name: str, **preferences: object) -> dict[str, str]:
    return drawn(look_at(files, name, preferences=preferences_of(preferences)))


def test_a_deepspeed_file() -> None:
    assert hinted({"ds.json": DS, **RANKS}, "ds.json") == {
        '"train_batch_size": 256': "= 4 x 8 x DP 8",
        '"stage": 3': "13.04 GiB/rank",
        '"reduce_bucket_size": 5e8': "0.93 GiB (bf16)",
    }


def test_the_same_in_yaml() -> None:
    text = """train_batch_size: 256
train_micro_batch_size_per_gpu: 4
bf16: {enabled: true}
zero_optimization: {stage: 3, reduce_bucket_size: 500000000}
"""
    assert list(hinted({"ds.yaml": text, **RANKS}, "ds.yaml").values()) == [
        "= 4 x 8 x DP 8",
        "13.04 GiB/rank",
        "0.93 GiB (bf16)",
    ]


def test_a_hint_stands_behind_the_comma_that_ends_a_line() -> None:
    text = '{"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 3 ,\n"overlap_comm": true}}'
    look = look_at({"ds.json": text, **RANKS}, "ds.json")
    placed = {hint.text: text[: hint.at][-4:] for hint in hints(look, Span(0, len(text)))}
    assert placed == {"x DP 8 = 8": '": 1', "16.30 GiB/rank": " 3 ,"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_other_characters_before_a_hint(encoding: str) -> None:
    text = '{"train_batch_size": 8, "été 🚀": 1, "zero_optimization": {"stage": 3}}'
    client = FULL._replace(encoding=encoding)
    look = look_at({"ds.json": text, **RANKS}, "ds.json", client=client)
    before = text[: text.index("3") + 1]
    units = {
        "utf-8": len(before.encode()),
        "utf-16": len(before.encode("utf-16-le")) // 2,
        "utf-32": len(before),
    }
    found = next(h for h in hints(look, Span(0, len(text))) if "GiB" in h.text)
    assert shown(look, found, "file:///ds.json").position == types.Position(0, units[encoding])


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "= 4 x 8 x DP 8"),
        ({'"train_batch_size": 256': '"train_batch_size": 250'}, None),
        ({'"train_micro_batch_size_per_gpu": 4': '"gradient_accumulation_steps": 8'}, "= 4 x 8 x DP 8"),
        ({'"train_micro_batch_size_per_gpu": 4,': ""}, "= 32 x 1 x DP 8"),
        ({"4,": '4, "gradient_accumulation_steps": 2,'}, None),
        ({"4,": '4, "gradient_accumulation_steps": "${STEPS}",'}, None),
        ({"4,": '4, "elasticity": {"enabled": true},'}, None),
        ({'"train_batch_size": 256': '"train_batch_size": "${BATCH}"'}, None),
    ],
)
def test_the_third_number_of_the_batch(changes: dict[str, str], expected: str | None) -> None:
    text = DS
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, 1)
    found = hinted({"ds.json": text, **RANKS}, "ds.json")
    assert next((hint for hint in found.values() if "DP" in hint), None) == expected


def test_a_degree_that_only_the_batch_gives_is_said_to_be_needed() -> None:
    text = DS.replace("4,", '4, "gradient_accumulation_steps": 8,')
    found = list(hinted({"ds.json": text}, "ds.json", **{"model.params": "7B"}).values())
    assert found[:2] == ["needs DP 8", "13.04 GiB/rank at DP 8"]


def test_nothing_is_said_of_what_is_not_known() -> None:
    assert hinted({"ds.json": DS}, "ds.json", world_size=8) == {
        '"train_batch_size": 256': "= 4 x 8 x DP 8",
        '"reduce_bucket_size": 5e8': "0.93 GiB (bf16)",
    }
    assert "GiB/rank" not in str(hinted({"ds.json": DS}, "ds.json", **{"model.params": "7B"}))
    assert hinted({"notes.json": '{"stage": 3, "train_batch_size": 4}', **RANKS}, "notes.json") == {}
    assert hinted({"hostfile": "worker-1 slots=8\n", **RANKS}, "hostfile") == {}


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ('"offload_optimizer": {"device": "cpu"}', "1.63 GiB/rank + 14.67 GiB host"),
        ('"offload_optimizer": {"device": "nvme", "nvme_path": "/n"}', "1.63 GiB/rank + 14.67 GiB off GPU"),
        ('"offload_param": {"device": "cpu"}', "11.41 GiB/rank + 1.63 GiB host"),
    ],
)
def test_states_off_the_gpu(section: str, expected: str) -> None:
    text = DS.replace('"reduce_bucket_size": 5e8', section)
    assert hinted({"ds.json": text, **RANKS}, "ds.json")['"stage": 3'] == expected


@pytest.mark.parametrize(
    ("strategy", "ranks", "expected"),
    [
        ("FULL_SHARD", 8, "13.04 GiB/rank"),
        ("NO_SHARD", 8, "104.31 GiB/rank"),
        ("FULL_SHARD", 16, "6.52 GiB/rank"),
    ],
)
def test_an_fsdp_strategy(strategy: str, ranks: int, expected: str) -> None:
    text = FSDP.format(strategy=strategy, ranks=ranks)
    found = hinted({"accelerate.yaml": text}, "accelerate.yaml", **{"model.params": "7B"})
    assert found == {f"fsdp_sharding_strategy: {strategy}": expected}


def test_a_default_strategy_is_shown_at_the_type() -> None:
    text = FSDP.replace("version: 1", "offload_params: false").replace(
        "  fsdp_sharding_strategy: {strategy}\n", ""
    )
    text = text.format(ranks=8)
    found = hinted({"accelerate.yaml": text}, "accelerate.yaml", **{"model.params": "7B"})
    assert found == {"distributed_type: FSDP": "13.04 GiB/rank"}


def test_what_another_file_decides_is_shown_at_its_name() -> None:
    files = {"ds.json": AUTO, "train.yaml": TRAIN, **RANKS}
    assert hinted(files, "train.yaml") == {
        "per_device_train_batch_size: 4": "x 8 x DP 8 = 256",
        "deepspeed: ds.json": "ZeRO-3, 13.04 GiB/rank",
    }


def test_auto_becomes_what_the_arguments_say() -> None:
    files = {"ds.json": AUTO, "train.yaml": TRAIN, **RANKS}
    files["shardlint.toml"] += '[[jobs]]\nfiles = ["train.yaml", "ds.json"]\n'
    assert list(hinted(files, "ds.json").items()) == [
        ('"train_batch_size": "auto"', "= 4 x 8 x DP 8 = 256"),
        ('"train_micro_batch_size_per_gpu": "auto"', "= 4 (train.yaml:3)"),
        ('"gradient_accumulation_steps": "auto"', "= 8 (train.yaml:4)"),
        ('"gradient_clipping": "auto"', "= 1.0 (Trainer default)"),
        ('"bf16": {"enabled": "auto"', "= true (train.yaml:7)"),
        ('"fp16": {"enabled": "auto"', "= false (train.yaml:7)"),
        ('"lr": "auto"', "= 1e-05 (train.yaml:5)"),
        ('"betas": "auto"', "= [0.9, 0.999] (Trainer default)"),
        ('"warmup_min_lr": "auto"', "= 0"),
        ('"warmup_num_steps": "auto"', "= 100 (train.yaml:6)"),
        ('"total_num_steps": "auto"', "from training steps"),
        ('"stage": 3', "13.04 GiB/rank"),
        ('"reduce_bucket_size": "auto"', "= 16,777,216 (0.03 GiB)"),
        ('"stage3_prefetch_bucket_size": "auto"', "= 15,099,494 (0.03 GiB)"),
        ('"stage3_param_persistence_threshold": "auto"', "= 40,960"),
    ]


def test_auto_without_the_arguments_names_what_fills_it() -> None:
    found = hinted({"ds.json": AUTO}, "ds.json")
    assert found['"gradient_clipping": "auto"'] == "from max_grad_norm"
    assert found['"reduce_bucket_size": "auto"'] == "from hidden size squared"
    assert '"gradient_accumulation_steps": "auto"' not in found


def test_auto_that_nobody_fills_gets_no_hint() -> None:
    assert hinted({"ds.json": AUTO}, "ds.json", consumer="deepspeed") == {}


def test_a_file_of_several_jobs_says_only_what_they_agree_on() -> None:
    files = {"ds.json": AUTO, "train.yaml": TRAIN, "large.yaml": TRAIN.replace(": 4", ": 16"), **RANKS}
    files["shardlint.toml"] += '[[jobs]]\nfiles = ["train.yaml", "ds.json"]\n'
    files["shardlint.toml"] += '[[jobs]]\nfiles = ["large.yaml", "ds.json"]\n'
    found = hinted(files, "ds.json")
    assert '"train_micro_batch_size_per_gpu": "auto"' not in found
    assert found['"gradient_accumulation_steps": "auto"'] == "= 8"
    assert found['"stage": 3'] == "13.04 GiB/rank"


def launcher(ranks: int) -> str:
    return (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\nnum_machines: 1\n"
        f"deepspeed_config:\n  deepspeed_config_file: ds.json\nnum_processes: {ranks}\n"
    )


def test_jobs_that_differ_in_ranks_give_a_range() -> None:
    files = {"ds.json": DS.replace("256", '"auto"'), "a.yaml": launcher(8), "b.yaml": launcher(16)}
    files["shardlint.toml"] = '[facts]\nmodel.params = "7B"\n'
    for name in ("a.yaml", "b.yaml"):
        files["shardlint.toml"] += f'[[jobs]]\nfiles = ["{name}", "ds.json"]\n'
    assert hinted(files, "a.yaml") == {"deepspeed_config_file: ds.json": "ZeRO-3, 13.04 GiB/rank"}
    assert hinted(files, "ds.json")['"stage": 3'] == "6.52 to 13.04 GiB/rank"


def test_engines_of_one_job_are_told_apart_by_role() -> None:
    files = {"actor.json": DS, "ref.json": DS.replace('"stage": 3', '"stage": 2'), **RANKS}
    files["shardlint.toml"] += '[[jobs]]\nfiles = ["train.yaml", "actor.json", "ref.json"]\n'
    files["train.yaml"] = TRAIN.replace("deepspeed: ds.json\n", "")
    assert hinted(files, "actor.json")['"stage": 3'] == "13.04 GiB/rank"
    assert hinted(files, "ref.json")['"stage": 2'] == "24.45 GiB/rank"


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ({}, 3),
        ({"inlayHints": False}, 0),
        ({"inlayHints": {"enabled": False}}, 0),
        ({"inlayHints": {"stage": False}}, 2),
        ({"inlayHints.batch": False, "inlayHints.buckets": False}, 1),
    ],
)
def test_each_kind_has_a_switch(said: dict[str, object], kinds: int) -> None:
    assert len(hinted({"ds.json": DS, **RANKS}, "ds.json", **said)) == kinds


def test_the_switch_of_auto() -> None:
    only = hinted({"ds.json": AUTO}, "ds.json", inlayHints={"auto": False})
    assert only == {}


def test_only_what_is_asked_for() -> None:
    look = look_at({"ds.json": DS, **RANKS}, "ds.json")
    at = DS.index('"stage": 3,') + len('"stage": 3')
    assert [hint.text for hint in hints(look, Span(at - 1, at + 1))] == ["13.04 GiB/rank"]
    assert hints(look, Span(0, 3)) == []


def test_the_tooltip_has_the_formula_and_the_origins() -> None:
    look = look_at({"ds.json": DS, **RANKS}, "ds.json")
    batch, stage, bucket = hints(look, Span(0, len(DS)))
    assert batch.why.startswith("**train\\_batch\\_size 256 = 4 x 8 x DP 8**")
    assert "- accumulation 8: derived, 256 / (4 x DP 8)" in batch.why
    assert "- DP 8: shardlint.toml:4" in batch.why
    assert "16P/N" in stage.why
    assert "shardlint.toml:2" in stage.why
    assert bucket.why == "**0.93 GiB** = 500,000,000 elements x 2 B (bf16)"


def test_of_two_the_last_counts_and_old_spellings_too() -> None:
    text = DS.replace(
        '"reduce_bucket_size": 5e8',
        '"prefetch_bucket_size": 5e7,\n"reduce_bucket_size": 1,\n"reduce_bucket_size": 5e8',
    )
    found = hinted({"ds.json": text, **RANKS}, "ds.json")
    assert list(found.items())[2:] == [
        ('"prefetch_bucket_size": 5e7', "0.09 GiB (bf16)"),
        ('"reduce_bucket_size": 5e8', "0.93 GiB (bf16)"),
    ]
    first = text.replace('"reduce_bucket_size": 1,', '"reduce_bucket_size": 9e8,')
    assert '"reduce_bucket_size": 9e8' not in hinted({"ds.json": first, **RANKS}, "ds.json")


def test_a_limit_beyond_the_model_is_that_of_the_model() -> None:
    text = DS.replace(
        '"reduce_bucket_size": 5e8', '"sub_group_size": 1e12, "stage3_max_live_parameters": 1e9'
    )
    look = look_at({"ds.json": text, **RANKS}, "ds.json")
    step, live = hints(look, Span(0, len(text)))[2:]
    assert (step.text, live.text) == ("at most 4.89 GiB (bf16 + fp32)", "at most 1.86 GiB (bf16)")
    assert "= 875,000,000 elements, all there are, x 6 B (bf16 + fp32)" in step.why


@pytest.mark.parametrize(
    "value", ["1e308", "1e999", "9" * 400, "-1", "0", "0.5", "true", "null", '"${SIZE}"', "[]", "{}", '"5e8"']
)
def test_odd_sizes(value: str) -> None:
    """Whatever stands there: no failure, and nothing but a short figure."""
    names = ("reduce_bucket_size", "sub_group_size", "stage3_max_live_parameters", "train_batch_size")
    keys = ", ".join(f'"{name}": {value}' for name in names)
    text = f'{{"train_batch_size": {value}, "zero_optimization": {{"stage": 3, {keys}}}}}'
    look = look_at({"ds.json": text, **RANKS}, "ds.json")
    assert all(len(hint.text) <= LONGEST for hint in hints(look, Span(0, len(text))))


@pytest.mark.parametrize("size", ["1" + "0" * 30, "9" * 400, "-5", "1.5", "true", '"many"'])
def test_odd_facts(size: str) -> None:
    facts = f"[facts]\nmodel.hidden_size = {size}\nworld_size = {size}\nmodel.params = {size}\n"
    train = TRAIN.replace("1.0e-5", "x" * 300).replace(": 4", f": {size}")
    for name in ("ds.json", "train.yaml"):
        look = look_at({"ds.json": AUTO, "train.yaml": train, "shardlint.toml": facts}, name)
        assert all(len(hint.text) <= LONGEST for hint in hints(look, Span(0, len(look.document.text))))


def test_an_assumed_dtype_is_said_to_be() -> None:
    text = DS.replace('  "bf16": {"enabled": true},\n', '  "bf16": {"enabled": "auto"},\n')
    look = look_at({"ds.json": text, **RANKS}, "ds.json")
    found = next(hint for hint in hints(look, Span(0, len(text))) if "16-bit" in hint.text)
    assert found.text == "0.93 GiB (16-bit)"
    assert "the precision is not stated, 16 bit is assumed" in found.why


def test_a_client_that_resolves_gets_the_tooltip_later() -> None:
    client = FULL._replace(hint_resolves=frozenset({"tooltip"}))
    look = look_at({"ds.json": DS, **RANKS}, "ds.json", client=client)
    hint = shown(look, hints(look, Span(0, len(DS)))[1], "file:///ds.json")
    assert (hint.tooltip, hint.data) == (None, "file:///ds.json")
    tooltip = resolved(look, hint)
    assert tooltip is not None
    assert "16P/N" in tooltip.value
    hint.label = "another text"
    assert resolved(look, hint) is None


def test_a_client_without_markdown_gets_plain_text() -> None:
    look = look_at({"ds.json": DS, **RANKS}, "ds.json", client=Client())
    tooltip = shown(look, hints(look, Span(0, len(DS)))[0], "file:///ds.json").tooltip
    assert isinstance(tooltip, types.MarkupContent)
    assert tooltip.kind == types.MarkupKind.PlainText
    assert tooltip.value.startswith("train_batch_size 256 = 4 x 8 x DP 8\n")


@settings(max_examples=120, deadline=None)
@given(st.sampled_from([DS, AUTO, TRAIN, FSDP.format(strategy="FULL_SHARD", ranks=8)]), st.data())
def test_half_typed_text(text: str, data: st.DataObject) -> None:
    """Cut anywhere, and something else typed there: no failure, short hints inside the text."""
    at = data.draw(st.integers(0, len(text)))
    until = data.draw(st.integers(at, len(text)))
    cut = (
        text[:at]
        + data.draw(st.sampled_from(["", "é", '"', "{", ":", ", ", "\n", "1e999", "- "]))
        + text[until:]
    )
    name = "ds.json" if text in (DS, AUTO) else "ds.yaml"
    for hint in hints(look_at({name: cut, **RANKS}, name), Span(0, len(cut))):
        assert 0 <= hint.at <= len(cut)
        assert 0 < len(hint.text) <= LONGEST


@requires_corpus
def test_real_files() -> None:
    """Hints are short and quick, and at most one stands at a place."""
    preferences = Preferences(facts={"model.params": "7B", "model.hidden_size": 4096, "world_size": 8})
    spent: list[float] = []
    seen = 0
    for row in manifest()[::7]:
        name = row.path.rpartition("/")[2]
        text = corpus_bytes(row.path).decode("utf-8", "replace")
        look = look_at({name: text}, name, preferences=preferences)
        began = time.thread_time()
        found = hints(look, Span(0, len(text)))
        spent.append(time.thread_time() - began)
        assert all(len(hint.text) <= LONGEST for hint in found)
        assert len({hint.at for hint in found}) == len(found)
        seen += len(found)
    assert seen > len(spent) / 2
    assert sorted(spent)[len(spent) * 95 // 100] < 0.015
