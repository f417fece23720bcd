"""shardlint.toml and [tool.shardlint]: facts, jobs, files, lint, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardlint.report import Severity
from shardlint.settings import Settings
from shardlint.settings.source import read_source
from shardlint.settings.spec import Source
from shardlint.syntax.parse import parse

GIB = 1024**3
DESIGN = """\
[facts]
world_size = 8
gpu.name = "A100-SXM4-80GB"
host_memory_gib = 1024
model.params = "7B"
sequence_length = 4096
training_args.bf16 = true
versions.deepspeed = "0.19.8"
checkpoint.dp_world_size = 8
[facts.roles.actor]
model.params = "1B"
[facts.parallel]
tensor = 2
[budget]
activations = "20GiB"
reserve = "0GiB"
fragmentation = 0.0
[[jobs]]
files = ["accelerate.yaml", "train.yaml"]
facts.nodes = 2
[[jobs]]
files = ["./other/ds.json"]
[jobs.facts]
nodes = 3
[[files]]
match = ["configs/7b/**"]
facts.model.params = "7B"
[[files]]
match = ["configs/**"]
facts.model.params = "13B"
budget.activations = "10GiB"
[lint]
select = ["MEM", "unknown-key"]
ignore = ["MEM006"]
severity = { "unknown-key" = "error", MEM001 = "hint" }
[lint.per-file-ignores]
"ds.json" = ["BAT001"]
"old/**" = ["ALL"]
"ds.json:zero_optimization.stage" = ["MEM001"]
"""


def source(text: str, name: str = "shardlint.toml", *table: str) -> Source:
    return read_source(parse(text, name), *table)


def settings(text: str) -> Settings:
    return Settings(Path("/root-of-it"), Path("/root-of-it/shardlint.toml"), source(text))


def messages(text: str) -> list[str]:
    return [finding.message for finding in source(text).problems]


def test_the_whole_design_is_read_without_a_problem() -> None:
    found = source(DESIGN)
    assert found.problems == ()
    values = {name: fact.value for name, fact in found.facts.values.items()}
    assert values == {
        "world_size": 8,
        "gpu.name": "A100-SXM4-80GB",
        "host_memory_gib": 1024.0,
        "model.params": 7_000_000_000,
        "sequence_length": 4096,
        "training_args.bf16": True,
        "versions.deepspeed": "0.19.8",
        "checkpoint.dp_world_size": 8,
        "roles.actor.model.params": 1_000_000_000,
        "parallel.tensor": 2,
        "budget.activations": 20 * GIB,
        "budget.reserve": 0,
        "budget.fragmentation": 0.0,
    }


def test_a_fact_knows_where_it_stands() -> None:
    fact = source(DESIGN).facts.values["model.params"]
    assert fact.origin == "shardlint.toml:5"
    assert fact.place is not None
    assert fact.place.key == "facts.model.params"
    assert DESIGN[slice(*fact.place.span)] == '"7B"'


def test_the_same_table_stands_in_a_pyproject() -> None:
    text = "[project]\nname = 'x'\n[tool.shardlint.facts]\nworld_size = 4\n[tool.other]\nfacts = 1\n"
    found = source(text, "pyproject.toml", "tool", "shardlint")
    assert {name: fact.value for name, fact in found.facts.values.items()} == {"world_size": 4}
    assert found.problems == ()


def test_a_pyproject_without_the_table_says_nothing() -> None:
    assert source("[project]\nname = 'x'\n", "pyproject.toml", "tool", "shardlint") == Source()


def test_jobs_and_files_give_facts_to_their_files() -> None:
    own = settings(DESIGN)
    assert [spec.files for spec in own.jobs] == [("accelerate.yaml", "train.yaml"), ("./other/ds.json",)]
    assert [len(spec.places) for spec in own.jobs] == [2, 1]
    assert own.for_file(Path("/root-of-it/train.yaml")).fact("nodes").value == 2
    assert own.for_file(Path("/root-of-it/other/ds.json")).fact("nodes").value == 3
    assert not own.for_file(Path("/root-of-it/else.yaml")).fact("nodes").known
    assert own.for_member(Path("/root-of-it/train.yaml"), own.jobs[1]).fact("nodes").value == 3


def test_the_last_matching_files_table_wins() -> None:
    inside = settings(DESIGN).for_file(Path("/root-of-it/configs/7b/ds.json"))
    assert inside.fact("model.params").value == 13_000_000_000
    assert inside.budget.activations.value == 10 * GIB
    assert settings(DESIGN).for_file(Path("/root-of-it/ds.json")).budget.activations.value == 20 * GIB


def test_lint_options() -> None:
    lint = source(DESIGN).lint
    assert lint.selects("MEM001", "activations-not-budgeted")
    assert lint.selects("KEY001", "unknown-key")
    assert not lint.selects("MEM006", "facts-missing")
    assert not lint.selects("BAT001", "batch-triangle-mismatch")
    assert lint.level("KEY001", "unknown-key") == Severity.ERROR
    assert lint.level("MEM001", "activations-not-budgeted") == Severity.HINT
    assert lint.level("BAT001", "batch-triangle-mismatch") is None


@pytest.mark.parametrize(
    ("path", "key", "code", "silent"),
    [
        ("ds.json", "train_batch_size", "BAT001", True),
        ("a/ds.json", "train_batch_size", "BAT001", True),
        ("ds.json", "zero_optimization.stage", "MEM001", True),
        ("ds.json", "zero_optimization", "MEM001", False),
        ("ds.json", "zero_optimization.stage", "MEM002", False),
        ("old/x/y.json", "any", "MEM002", True),
        ("new/x.json", "any", "MEM002", False),
    ],
)
def test_ignores_by_file_and_key(path: str, key: str, code: str, silent: bool) -> None:
    assert source(DESIGN).lint.silences(path, key, code, "some-name") is silent


def test_nothing_selected_selects_everything() -> None:
    assert source("").lint.selects("MEM001", "x")


@pytest.mark.parametrize(
    ("text", "says", "at"),
    [
        ("[facts]\nwrld_size = 8\n", "did you mean world_size?", "wrld_size"),
        ("[facts]\nmodel.parms = 8\n", "did you mean model.params?", "parms"),
        ("[facts]\nxyzzy = 8\n", "xyzzy is not a setting of shardlint", "xyzzy"),
        ("[facts]\nworld_size = 'many'\n", "world_size = 'many' is no count", "'many'"),
        ("[facts]\nmodel.lora = 1\n", "model.lora = 1 must be true or false", "1"),
        ("[budget]\nactivations = 20\n", "has no unit; write 20GiB", "20"),
        ("[budget]\nactivation = '20GiB'\n", "did you mean budget.activations?", "activation"),
        ("[budget]\nactivations = '20GB'\n", "18.63 GiB", "'20GB'"),
        ("[fact]\nworld_size = 8\n", "did you mean facts?", "fact"),
        ("world_size = 8\n", "move it below [facts]", "world_size"),
        ("[model]\nparams = '7B'\n", "move it below [facts]", "model"),
        ("facts = 8\n", "facts must be a table", "facts"),
        ("jobs = 8\n", "jobs must be a list of tables", "jobs"),
        ("[jobs]\nfiles = ['a']\n", "write [[jobs]]", "jobs"),
        ("[[jobs]]\nfacts.nodes = 1\n", "has no files", None),
        ("[[jobs]]\nfiles = [1]\n", "files must be a list of paths", "[1]"),
        ("[[files]]\nmatch = ['a']\nfact.nodes = 1\n", "fact is not a setting", "fact"),
        ("[lint]\nselct = []\n", "did you mean lint.select?", "selct"),
        ("[lint]\nseverity = { x = 'loud' }\n", "must be error, warning, info or hint", "'loud'"),
        ("[lint]\nselect = [1]\n", "must be a list of rule names", "1"),
        ("lint = 1\n", "lint must be a table", "lint"),
        ("[facts]\ngpu.name = 'A100-80BG'\n", "or A100-80GB?", "'A100-80BG'"),
        ("[facts]\nmodel.name = 'meta-llama/Llama-2-7bb'\n", "or meta-llama/Llama-2-70b-hf?", None),
    ],
)
def test_what_is_wrong_is_said_at_its_place(text: str, says: str, at: str | None) -> None:
    (finding,) = source(text).problems
    assert says in finding.message
    assert finding.rule and finding.code
    assert finding.severity <= Severity.WARNING
    if at is not None:
        assert text[slice(*finding.place.span)] == at


def test_one_wrong_setting_leaves_the_others() -> None:
    found = source("[facts]\nworld_size = 'many'\nnodes = 2\nwrld = 1\n[lint]\nignore = ['MEM']\n")
    assert found.facts.values["nodes"].value == 2
    assert found.lint.ignore == ("MEM",)
    assert len(found.problems) == 2


@pytest.mark.parametrize(
    "text",
    [
        "[facts\nworld_size = 8\n",
        "[facts]\nworld_size = \nnodes = 2\n",
        "[facts]\nnodes = 2\n= 3\n",
        "\x00",
        "[[[",
        '"',
    ],
)
def test_broken_toml_is_a_problem_and_never_raises(text: str) -> None:
    assert any(finding.rule == "broken-settings-file" for finding in source(text).problems)


def test_settings_beside_a_broken_line_still_apply() -> None:
    found = source("[facts]\nworld_size = \nnodes = 2\n[budget]\nactivations = '1GiB'\n")
    assert found.facts.values["nodes"].value == 2
    assert found.facts.values["budget.activations"].value == GIB
    assert "world_size" not in found.facts.values
    assert len(found.problems) == 1


def test_rule_names_are_kept_with_their_places() -> None:
    lint = source("[lint]\nignore = ['no-such-rule']\nseverity = { nor-this = 'info' }\n").lint
    assert [named.word for named in lint.named] == ["no-such-rule", "nor-this"]
    assert lint.named[0].place.key == "lint.ignore[0]"


def test_no_prefix_of_a_settings_file_raises() -> None:
    for end in range(0, len(DESIGN), 7):
        found = source(DESIGN[:end])
        assert all(finding.place.span.end <= end for finding in found.problems)
