from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from shardlint.checks.registry import all_rules
from shardlint.settings.names import all_settings
from shardlint.settings.source import read_source
from shardlint.syntax.parse import parse
from shardlint_cli.documentation import summary

Run = Callable[..., "tuple[int, str, str]"]


@pytest.mark.parametrize("word", ["MEM001", "mem001", "activations-not-budgeted"])
def test_a_rule_by_code_or_name(run: Run, word: str) -> None:
    code, out, err = run("explain", word)
    assert (code, err) == (0, "")
    assert out.startswith("# MEM001 activations-not-budgeted\n")
    assert "## Why is this bad" in out
    assert out.endswith("Highest severity: info. Since 0.1.\n")


def test_every_rule_can_be_explained(run: Run) -> None:
    for rule in all_rules():
        code, out, _ = run("explain", rule.name)
        assert code == 0
        assert rule.documentation in out


def test_a_key_by_its_path(run: Run) -> None:
    code, out, _ = run("explain", "zero_optimization.stage")
    assert code == 0
    assert out.startswith("# zero_optimization.stage (DeepSpeed)\n")
    assert "- takes one of 0, 1, 2, 3\n" in out
    assert "- default: 0\n" in out


def test_a_bare_key_wherever_it_may_stand(run: Run) -> None:
    out = run("explain", "bf16")[1]
    assert "# bf16 (DeepSpeed)" in out
    assert "# bf16 (Hugging Face Trainer)" in out


def test_a_setting(run: Run) -> None:
    assert run("explain", "model.params")[1].startswith("# model.params (setting of shardlint)\n")


@pytest.mark.parametrize(
    ("word", "place"),
    [
        ("world_size", "below [facts] as `world_size = 8`"),
        ("facts.world_size", "below [facts] as `world_size = 8`"),
        ("budget.activations", 'below [budget] as `activations = "20GiB"`'),
        ("versions.deepspeed", 'below [facts] as `versions.deepspeed = "0.19.8"`'),
        ("model.params", "`# shardlint: model.params=7B`, or as --set model.params=7B"),
        ("model.lora_targets", "or as --set model.lora_targets=[q_proj,v_proj]"),
    ],
)
def test_a_setting_says_where_it_is_written(run: Run, word: str, place: str) -> None:
    assert place in run("explain", word)[1]


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("world_size", "All ranks of the job."),
        ("host_memory_gib", "Main memory of each node (GiB)."),
        ("versions.deepspeed", "The release of deepspeed that runs, or a range as >=0.16,<0.19."),
        ("training_args.bf16", "The training argument bf16, which the file is joined with."),
    ],
)
def test_a_setting_is_explained_in_one_sentence(run: Run, word: str, meaning: str) -> None:
    assert f"\n\n{meaning}\n\n" in run("explain", word)[1]


def test_every_setting_has_an_example_it_takes() -> None:
    for setting in all_settings().values():
        document = parse(f"[facts]\n{setting.name} = {setting.example}\n", "shardlint.toml")
        source = read_source(document)
        assert not source.problems, (setting.name, source.problems)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("facts", "- world_size: all ranks of the job\n"),
        ("[budget]", "- budget.reserve: "),
        ("parallel", "- parallel.tensor: "),
        ("jobs", "`[[jobs]]` lists under `files`"),
        ("lint.per-file-ignores", "`per-file-ignores` silences"),
    ],
)
def test_a_section_lists_its_settings(run: Run, word: str, told: str) -> None:
    code, out, err = run("explain", word)
    assert (code, err) == (0, "")
    assert told in out


def test_every_setting_is_listed_in_its_section(run: Run) -> None:
    listed = run("explain", "facts")[1] + run("explain", "budget")[1]
    assert [name for name in all_settings() if f"- {name}: " not in listed] == []


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("activation-not-budgeted", "activations-not-budgeted"),
        ("zero_optimizaton", "zero_optimization"),
        ("model.parms", "model.params"),
    ],
)
def test_an_unknown_word_is_answered_with_the_nearest(run: Run, word: str, near: str) -> None:
    code, out, err = run("explain", word)
    assert (code, out) == (2, "")
    assert err == (f"shardlint explain: no rule, key or setting is called {word} (did you mean {near}?)\n")


def test_the_table_of_rules(run: Run) -> None:
    code, out, err = run("rules")
    assert (code, err) == (0, "")
    assert f"{len(all_rules())} rules;" in out
    for rule in all_rules():
        assert rule.code in out
        assert rule.name in out


def test_the_table_of_rules_as_json(run: Run) -> None:
    found = json.loads(run("rules", "--format", "json")[1])
    assert found["schema"] == 1
    assert [rule["code"] for rule in found["rules"]] == [rule.code for rule in all_rules()]
    assert all(rule["summary"].endswith(".") for rule in found["rules"])


def test_every_rule_begins_with_a_summary() -> None:
    for rule in all_rules():
        assert summary(rule.documentation), rule.code
        assert len(summary(rule.documentation)) <= 140, rule.code
