"""Which settings file holds for a folder, and which layer wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardlint.settings import SettingsLoader
from shardlint.syntax.parse import parse


def make(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_toml", ".toml").replace("_txt", ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_the_nearest_file_upward_holds(tmp_path: Path) -> None:
    make(tmp_path, shardlint_toml="[facts]\nnodes = 1\n", a__b__shardlint_toml="[facts]\nnodes = 2\n")
    loader = SettingsLoader(tmp_path)
    assert loader.at(tmp_path / "a").fact("nodes").value == 1
    assert loader.at(tmp_path / "a/b/c").fact("nodes").value == 2
    assert loader.at(tmp_path / "a/b/c").root == tmp_path / "a/b"
    assert loader.at(tmp_path / "a/b/c").fact("nodes").origin == "a/b/shardlint.toml:2"
    assert loader.at(tmp_path / "a/b") is loader.at(tmp_path / "a/b/c")


def test_a_pyproject_holds_only_with_the_table(tmp_path: Path) -> None:
    make(
        tmp_path,
        pyproject_toml="[tool.shardlint.facts]\nnodes = 3\n",
        a__pyproject_toml="[project]\nname = 'x'\n",
    )
    assert SettingsLoader(tmp_path).at(tmp_path / "a").fact("nodes").value == 3


def test_the_own_file_wins_over_a_pyproject_beside_it(tmp_path: Path) -> None:
    make(
        tmp_path, pyproject_toml="[tool.shardlint.facts]\nnodes = 3\n", shardlint_toml="[facts]\nnodes = 4\n"
    )
    assert SettingsLoader(tmp_path).at(tmp_path).fact("nodes").value == 4


def test_without_a_file_the_root_is_that_of_the_lint(tmp_path: Path) -> None:
    settings = SettingsLoader(tmp_path).at(tmp_path)
    assert settings.path is None
    assert settings.root == tmp_path
    assert not settings.fact("nodes").known
    assert settings.fact("nodes").origin == "set nodes"


def test_a_named_file_holds_everywhere(tmp_path: Path) -> None:
    make(tmp_path, shardlint_toml="[facts]\nnodes = 1\n", other_toml="[facts]\nnodes = 9\n")
    loader = SettingsLoader(tmp_path, config=tmp_path / "other.toml")
    assert loader.at(tmp_path).fact("nodes").value == 9


def test_a_named_file_that_is_not_there_is_noticed(tmp_path: Path) -> None:
    loader = SettingsLoader(tmp_path, config=tmp_path / "absent.toml")
    assert [notice.message for notice in loader.notices] == ["absent.toml: this settings file cannot be read"]
    assert not loader.at(tmp_path).fact("nodes").known


@pytest.mark.parametrize(
    "text", ['{\n  "a": {"b": 1},\n  "c": [1]\n}\n', "{}", "\x7fELF\x02\x01", "bf16: true\n"]
)
def test_a_named_file_of_another_kind_is_said_in_one_line(tmp_path: Path, text: str) -> None:
    make(tmp_path, other=text)
    loader = SettingsLoader(tmp_path, config=tmp_path / "other")
    assert [notice.message for notice in loader.notices] == [
        "other is no TOML with settings, so no setting in it applies"
    ]
    assert loader.at(tmp_path).problems == ()


def test_a_named_file_with_a_slip_in_it_holds(tmp_path: Path) -> None:
    make(tmp_path, other_toml="[facts]\nnodes = 9\nworld_size =\n")
    loader = SettingsLoader(tmp_path, config=tmp_path / "other.toml")
    assert (loader.notices, loader.at(tmp_path).fact("nodes").value) == ((), 9)
    make(tmp_path, other_toml="[lint]\nselect =\n")
    assert SettingsLoader(tmp_path, config=tmp_path / "other.toml").notices == ()


def test_unsaved_text_is_read(tmp_path: Path) -> None:
    texts = {tmp_path / "shardlint.toml": "[facts]\nnodes = 5\n"}
    assert SettingsLoader(tmp_path, read=texts.get).at(tmp_path).fact("nodes").value == 5


def test_a_changed_file_is_read_again_when_told(tmp_path: Path) -> None:
    make(tmp_path, shardlint_toml="[facts]\nnodes = 1\n")
    loader = SettingsLoader(tmp_path)
    assert loader.at(tmp_path).fact("nodes").value == 1
    make(tmp_path, shardlint_toml="[facts]\nnodes = 2\n")
    assert loader.at(tmp_path).fact("nodes").value == 1
    loader.forget()
    assert loader.at(tmp_path).fact("nodes").value == 2


TOML = """\
[facts]
nodes = 1
[[files]]
match = ["*.yaml"]
facts.nodes = 2
[[jobs]]
files = ["a.yaml"]
facts.nodes = 3
"""


@pytest.mark.parametrize(
    ("upto", "value"), [("facts", 1), ("files", 2), ("jobs", 3), ("editor", 4), ("pragma", 5), ("flag", 6)]
)
def test_the_layer_nearer_to_the_run_wins(tmp_path: Path, upto: str, value: int) -> None:
    order = ("facts", "files", "jobs", "editor", "pragma", "flag")
    levels = order[: order.index(upto) + 1]
    text = TOML.split("[[jobs]]")[0] if "jobs" not in levels else TOML
    make(tmp_path, shardlint_toml=text.split("[[files]]")[0] if "files" not in levels else text)
    loader = SettingsLoader(
        tmp_path,
        ["nodes=6"] if "flag" in levels else [],
        editor={"nodes": 4} if "editor" in levels else {},
    )
    settings = loader.at(tmp_path).for_file(tmp_path / "a.yaml")
    if "pragma" in levels:
        settings = settings.with_pragmas(parse("# shardlint: nodes=5\n", "a.yaml"))
    assert settings.fact("nodes").value == value
    assert settings.given_by_flag("nodes") is (upto == "flag")


def test_a_role_sees_its_own_facts_first(tmp_path: Path) -> None:
    make(tmp_path, shardlint_toml="[facts]\nnodes = 1\nsequence_length = 5\n[facts.roles.ref]\nnodes = 2\n")
    settings = SettingsLoader(tmp_path).at(tmp_path)
    assert settings.roles == ("ref",)
    assert settings.for_role("ref").fact("nodes").value == 2
    assert settings.for_role("ref").fact("sequence_length").value == 5
    assert settings.for_role("actor").fact("nodes").value == 1
    flagged = SettingsLoader(tmp_path, ["nodes=7"]).at(tmp_path)
    assert flagged.for_role("ref").fact("nodes").value == 7


def test_typed_look_ups() -> None:
    flags = ["world_size=8", "gpu.memory_gib=80", "consumer=hf-trainer", "model.lora=true"]
    settings = SettingsLoader(Path(), flags).at(Path())
    assert settings.integer("world_size").value == 8
    assert settings.number("world_size").value == 8.0
    assert settings.number("gpu.memory_gib").value == 80.0
    assert settings.text("consumer").value == "hf-trainer"
    assert settings.flag("model.lora").value is True
    assert not settings.text("world_size").known
    assert not settings.integer("consumer").known
    assert not settings.flag("world_size").known


@pytest.mark.parametrize(
    ("files", "text", "origin"),
    [
        (
            {"requirements_txt": "torch\ndeepspeed==0.14.2  # pinned\n"},
            "DeepSpeed 0.14.2",
            "requirements.txt:2",
        ),
        (
            {"requirements_txt": "DeepSpeed[ops] >= 0.14, <0.16\n"},
            "DeepSpeed >=0.14,<0.16",
            "requirements.txt:1",
        ),
        (
            {"pyproject_toml": '[project]\ndependencies = [\n  "torch",\n  "deepspeed~=0.15.0",\n]\n'},
            "DeepSpeed ~=0.15.0",
            "pyproject.toml:4",
        ),
        (
            {"pyproject_toml": '[project]\ndependencies = ["a", "deepspeed>=0.15"]\n'},
            "DeepSpeed >=0.15",
            None,
        ),
        (
            {"pyproject_toml": '[project]\n[project.optional-dependencies]\nx = ["deepspeed==0.17.0"]\n'},
            "DeepSpeed 0.17.0",
            "pyproject.toml:3",
        ),
        (
            {"requirements_txt": "# deepspeed==0.1\ndeepspeed-kernels==2\ndeepspeed @ git+https://x\n"},
            None,
            None,
        ),
        ({"requirements_txt": "deepspeed==newest\n"}, None, None),
    ],
)
def test_versions_come_from_requirements(
    tmp_path: Path, files: dict[str, str], text: str | None, origin: str | None
) -> None:
    make(tmp_path, **files)
    found = SettingsLoader(tmp_path).at(tmp_path).versions("deepspeed")
    assert found.text == (text or "any DeepSpeed version")
    if origin:
        assert found.fact.origin == origin


def test_a_stated_version_wins_over_requirements(tmp_path: Path) -> None:
    make(
        tmp_path,
        requirements_txt="deepspeed==0.14.2\n",
        shardlint_toml='[facts]\nversions.deepspeed = "0.19.8"\n',
    )
    assert SettingsLoader(tmp_path).at(tmp_path).versions("deepspeed").exact == "0.19.8"


def test_no_text_hangs_the_search_for_requirements(tmp_path: Path) -> None:
    make(tmp_path, pyproject_toml="[project]\n" + "dependencies = [\n" * 20_000)
    make(tmp_path, requirements_txt='"deepspeed[' * 20_000 + "\n deepspeed[x\n" * 20_000)
    assert not SettingsLoader(tmp_path).at(tmp_path).versions("deepspeed").known
