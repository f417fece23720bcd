"""The README is kept true: its commands run and print what it shows.

Run as a script, this writes the printed output anew.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
SET_UP = [block for block in BLOCKS if "pip install" in block]
SAMPLES = [block for block in BLOCKS if block.startswith("$ shardlint ")]


def shown(command: str) -> str:
    """What a `$ shardlint ...` line prints at 80 columns."""
    argv = command.removeprefix("$ shardlint ").split()
    environment = {**os.environ, "COLUMNS": "80"}
    return subprocess.run(
        [sys.executable, "-m", "shardlint_cli", *argv],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    ).stdout


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.splitlines()[0][2:] for sample in SAMPLES])
def test_samples_are_what_the_commands_print(sample: str) -> None:
    command, _, expected = sample.partition("\n")
    assert shown(command) == expected


def test_two_commands_do_the_set_up() -> None:
    assert len(SET_UP) == 2
    assert all(block.count("\n") == 1 for block in SET_UP)
    assert "shardlint check examples" in SET_UP[0]
    assert "pytest" in SET_UP[1]


def test_the_settings_shown_are_all_known(tmp_path: Path) -> None:
    settings = re.search(r"^```toml\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert settings
    (tmp_path / "shardlint.toml").write_text(re.sub(r"^# (?=model\.)", "", settings[1], flags=re.MULTILINE))
    (tmp_path / "hostfile").write_text("worker-0 slots=8\n")
    (tmp_path / "ds_config.json").write_text(
        '{"bf16": {"enabled": true}, "train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 2}}'
    )
    done = subprocess.run(
        [sys.executable, "-m", "shardlint_cli", "check", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("no findings in 2 files\n", "")


def test_every_file_it_links_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_first_command_works_on_a_fresh_copy(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE", "rules", "server", "examples"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    command = SET_UP[0].removeprefix("$ ").strip()
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=bare, capture_output=True, text=True)
    if "No matching distribution found" in done.stderr or "ConnectionError" in done.stderr:
        pytest.skip("no package index is in reach")
    assert done.returncode == 1, done.stderr
    expected = (ROOT / "examples" / "expected.txt").read_text(encoding="utf-8").splitlines()
    assert done.stdout.splitlines()[-1] == expected[-1]


if __name__ == "__main__":
    for sample in SAMPLES:
        command = sample.partition("\n")[0]
        README = README.replace(f"```console\n{sample}```", f"```console\n{command}\n{shown(command)}```")
    (ROOT / "README.md").write_text(README, encoding="utf-8")
