"""SET rules: each problem once, under its own rule, silenced and explained like any other."""

from __future__ import annotations

import pytest

from checks.linting import deepspeed, findings, only
from shardlint.report import Finding


def said(settings: str, rule: str | None = None) -> list[Finding]:
    files = {"shardlint.toml": settings, **deepspeed(2)}
    return [f for f in findings(files, rule) if f.place.path == "shardlint.toml"]


@pytest.mark.parametrize(
    ("settings", "rule", "key"),
    [
        ("[facts]\nworld_sise = 8\n", "unknown-setting", "facts.world_sise"),
        ("[facts]\nworld_size = -1\n", "wrong-setting-value", "facts.world_size"),
        ('[budget]\nreserve = "2GB"\n', "decimal-memory-unit", "budget.reserve"),
        ("[facts\nworld_size = 8\n", "broken-settings-file", ""),
        ('[lint]\nignore = ["MEM01"]\n', "unknown-rule", "lint.ignore[0]"),
        ('[facts]\ngpu.name = "H1000-SXM"\n', "name-in-no-table", "facts.gpu.name"),
    ],
)
def test_each_problem_is_said_once_by_the_rule_named_after_it(settings: str, rule: str, key: str) -> None:
    assert [(f.rule, f.place.key) for f in said(settings)] == [(rule, key)]


def test_a_broken_pragma_is_said_and_the_good_one_beside_it_applies() -> None:
    files = {
        "ds.yaml": "# shardlint: 8 ranks\n# shardlint: ignore[facts-missing]\nzero_optimization: {stage: 2}\n"
    }
    assert [f.rule for f in findings(files)] == ["broken-pragma"]


def test_a_pragma_that_ignores_no_rule_is_said_at_the_word() -> None:
    text = "# shardlint: ignore[ facts-missing,NOPE ] why\nzero_optimization: {stage: 2}\n"
    found = only({"ds.yaml": text}, "unknown-rule")
    assert text[found.place.span.start : found.place.span.end] == "NOPE"
    assert found.place.path == "ds.yaml"


@pytest.mark.parametrize(
    "settings",
    ["[facts]\nworld_size = 8\n", '[budget]\nreserve = "2GiB"\n', '[lint]\nignore = ["MEM", "KEY001"]\n', ""],
)
def test_sound_settings_are_silent(settings: str) -> None:
    assert said(settings) == []


def test_settings_rules_can_be_silenced() -> None:
    assert said('[facts]\nworld_sise = 8\n[lint]\nignore = ["SET001"]\n') == []


def test_settings_are_looked_at_without_any_config_beside_them() -> None:
    assert [f.rule for f in findings({"shardlint.toml": "[facts]\nworld_sise = 8\n"})] == ["unknown-setting"]


@pytest.mark.parametrize("name", ["./nocfg", "models/nocfg.json", "~/no/such/model"])
def test_the_path_of_a_model_that_leads_nowhere(name: str) -> None:
    found = said(f'[facts]\nmodel.name = "{name}"\n', "name-in-no-table")
    assert [(f.place.key, f.severity.word) for f in found] == [("facts.model.name", "warning")]
    assert found[0].message.startswith(f"{name} is no file and no folder with a config.json, ")


@pytest.mark.parametrize("name", ["./model", "model/config.json"])
def test_the_path_of_a_model_that_is_there_is_not_told(name: str) -> None:
    config = '{"model_type": "llama", "hidden_size": 8}'
    files = {
        "shardlint.toml": f'[facts]\nmodel.name = "{name}"\n',
        "model/config.json": config,
        **deepspeed(2),
    }
    assert findings(files, "name-in-no-table") == []
