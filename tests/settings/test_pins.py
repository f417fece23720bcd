"""Releases from the project files near a config, each kind of file for itself and together."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from shardlint.settings import SettingsLoader
from shardlint.settings.versions import VersionSet

LOCK = (
    '[[package]]\nname = "torch"\nversion = "2.13.0"\n\n[[package]]\nname = "deepspeed"\nversion = "0.18.9"\n'
)
PIPFILE = json.dumps(
    {"default": {"torch": {"version": "==2.13.0"}, "deepspeed": {"hashes": ["x"], "version": "==0.18.9"}}}
)
POETRY = '[tool.poetry.dependencies]\npython = "^3.10"\ndeepspeed = "^0.18"\n'
POETRY_TABLE = '[tool.poetry.group.gpu.dependencies]\ndeepspeed = {version = "0.18.9", extras = ["x"]}\n'
GROUPS = '[project]\nname = "x"\n[dependency-groups]\ngpu = ["deepspeed==0.18.9"]\n'
SETUP = "[metadata]\nname = x\n[options]\ninstall_requires =\n    torch\n    deepspeed>=0.18,<0.19  # yes\n"
SETUP_EXTRA = "[options.extras_require]\ngpu = deepspeed==0.18.9\n"
CONDA = "name: x\ndependencies:\n  - python=3.11\n  - conda-forge::deepspeed=0.18.9=py311_0\n"
CONDA_PIP = "dependencies:\n  - pip:\n      - 'deepspeed==0.18.9'\n"


def versions(root: Path, at: str = ".", package: str = "deepspeed") -> VersionSet:
    return SettingsLoader(root).at(root / at).for_file(root / at / "ds.json").versions(package)


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.mark.parametrize(
    ("name", "text", "found", "line"),
    [
        ("uv.lock", LOCK, "DeepSpeed 0.18.9", 7),
        ("poetry.lock", LOCK, "DeepSpeed 0.18.9", 7),
        ("pdm.lock", LOCK, "DeepSpeed 0.18.9", 7),
        ("Pipfile.lock", PIPFILE, "DeepSpeed 0.18.9", 1),
        ("requirements.txt", "torch\nDeepSpeed[x] == 0.18.9 \\\n  --hash=x\n", "DeepSpeed 0.18.9", 2),
        ("requirements-gpu.txt", "deepspeed~=0.18.0; python_version > '3'\n", "DeepSpeed ~=0.18.0", 1),
        ("pyproject.toml", '[project]\ndependencies = ["deepspeed (>=0.18)"]\n', "DeepSpeed >=0.18", 2),
        ("pyproject.toml", POETRY, "DeepSpeed ^0.18", 3),
        ("pyproject.toml", POETRY_TABLE, "DeepSpeed 0.18.9", 2),
        ("pyproject.toml", GROUPS, "DeepSpeed 0.18.9", 4),
        ("setup.cfg", SETUP, "DeepSpeed >=0.18,<0.19", 6),
        ("setup.cfg", SETUP_EXTRA, "DeepSpeed 0.18.9", 2),
        ("environment.yml", CONDA, "DeepSpeed 0.18.9", 4),
        ("conda.yaml", CONDA_PIP, "DeepSpeed 0.18.9", 3),
        ("environment.yml", "dependencies:\n- deepspeed=0.18\n", "DeepSpeed 0.18.*", 2),
    ],
)
def test_every_kind_of_file(tmp_path: Path, name: str, text: str, found: str, line: int) -> None:
    write(tmp_path, {name: text})
    known = versions(tmp_path)
    assert (known.text, known.fact.origin) == (found, f"{name}:{line}")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "deepspeed\n"),
        ("requirements.txt", "deepspeed @ git+https://example.org/d\n# deepspeed==0.1\ndeepspeed-mii==0.1\n"),
        ("pyproject.toml", '[tool.other]\ndependencies = ["deepspeed==0.1"]\n'),
        ("pyproject.toml", '[tool.poetry.dependencies]\ndeepspeed = "*"\n'),
        ("setup.cfg", "[metadata]\nname = deepspeed==0.1\n"),
        ("uv.lock", LOCK + LOCK.replace("0.18.9", "0.16.9")),
        ("notes.txt", "deepspeed==0.1\n"),
        ("uv.lock", "\0\x01 name = deepspeed"),
    ],
)
def test_what_states_no_release(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path, {name: text})
    assert not versions(tmp_path).known


def test_conda_has_names_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, {"environment.yml": "dependencies:\n  - pytorch=2.9.1\n"})
    assert versions(tmp_path, package="torch").exact == "2.9.1"


def test_included_requirements(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "requirements.txt": "-r deps/base.txt\n-c requirements.txt\n-r missing.txt\n",
            "deps/base.txt": "-r ../requirements.txt\ndeepspeed==0.18.9\n",
        },
    )
    assert versions(tmp_path).fact.origin == "deps/base.txt:2"


def test_a_lock_file_tells_more_than_a_requirement(tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": "deepspeed>=0.14\n", "uv.lock": LOCK})
    assert versions(tmp_path).exact == "0.18.9"


def test_the_nearest_folder_that_says_so_counts(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "requirements.txt": "deepspeed==0.19.8\naccelerate==1.15.0\n",
            "sub/requirements.txt": "deepspeed==0.16.9\n",
            "sub/conf/ds.json": "{}",
            "other/ds.json": "{}",
        },
    )
    assert versions(tmp_path, "sub/conf").exact == "0.16.9"
    assert versions(tmp_path, "sub/conf", "accelerate").exact == "1.15.0"
    assert versions(tmp_path, "other").exact == "0.19.8"


def test_the_search_ends_at_the_repository(tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": "deepspeed==0.1.0\n", "repo/.git/HEAD": "", "repo/conf/ds.json": ""})
    assert not versions(tmp_path, "repo/conf").known
    write(tmp_path, {"repo/pyproject.toml": '[project]\ndependencies = ["deepspeed==0.18.9"]\n'})
    assert (
        SettingsLoader(tmp_path / "repo" / "conf").at(tmp_path / "repo" / "conf").versions("deepspeed").exact
        == "0.18.9"
    )


def test_files_that_contradict_each_other_leave_it_open(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"requirements.txt": "deepspeed==0.18.9\n", "setup.cfg": SETUP.replace("0.18,<0.19", "0.19")},
    )
    known = versions(tmp_path)
    assert not known.known
    assert known.fact.origin == (
        "requirements.txt:1 and setup.cfg:6 contradict each other; set versions.deepspeed"
    )


def test_optional_requirements_contradict_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": "deepspeed==0.18.9\n", "requirements-old.txt": "deepspeed==0.9.0\n"})
    assert versions(tmp_path).exact == "0.18.9"


def test_nothing_is_read_before_a_release_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": "deepspeed==0.18.9\n"})
    read: list[str] = []

    def noted(path: Path) -> str | None:
        read.append(path.name)
        return path.read_text() if path.is_file() else None

    settings = SettingsLoader(tmp_path, read=noted).at(tmp_path).for_file(tmp_path / "ds.json")
    assert "requirements.txt" not in read
    for _ in range(3):
        assert settings.versions("deepspeed").exact == "0.18.9"
    assert read.count("requirements.txt") == 1


HOSTILE = {
    "requirements.txt": "deepspeed" + " " * 50_000 + "\ndeepspeed[" * 5_000 + "\n-r requirements.txt" * 5_000,
    "uv.lock": 'name = "deepspeed"\n' * 50_000,
    "Pipfile.lock": '"deepspeed": {' * 20_000,
    "pyproject.toml": "[tool.poetry.dependencies]\ndeepspeed = {" * 20_000,
    "setup.cfg": "[options]\n" + "deepspeed = " * 50_000,
    "environment.yml": "- a::" * 20_000 + "\n- deepspeed" + "[" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_take_no_time_and_state_nothing(tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: HOSTILE[name]})
    started = time.process_time()
    assert not versions(tmp_path).known
    assert time.process_time() - started < 5


def test_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").mkdir()
    (tmp_path / "setup.cfg").symlink_to(tmp_path / "nowhere")
    (tmp_path / "pyproject.toml").write_bytes(b"\xff\xfe\0deepspeed\0==")
    write(tmp_path, {"requirements-gpu.txt": "-r requirements.txt\n-r /\n-r ..\ndeepspeed==0.18.9\n"})
    assert versions(tmp_path).exact == "0.18.9"
