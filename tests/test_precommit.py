"""The hook works under the real pre-commit, which installs it from a repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHIPPED = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "rules", "server")
BAD = """\
{
  "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 4,
  "zero_optimization": {"stage": 2}
}
"""
TRAINER = "output_dir: out\nper_device_train_batch_size: 8\ndeepspeed: ds.json\n"


def git(folder: Path, *argv: str) -> str:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    done = subprocess.run(["git", *identity, *argv], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def committed(folder: Path) -> str:
    """The commit that holds all of a folder."""
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "all")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def hooked(tmp_path: Path) -> Path:
    """A repository whose configuration names the hook of this project as it stands."""
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    project, user = tmp_path / "project", tmp_path / "user"
    project.mkdir()
    user.mkdir()
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, project / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, project / name)
    revision = committed(project)
    (user / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {project}\n    rev: {revision}\n    hooks:\n      - id: shardlint\n"
    )
    (user / "shardlint.toml").write_text("[facts]\nworld_size = 8\n")
    (user / "ds.json").write_text(BAD)
    (user / "package.json").write_text('{"name": "x"}\n')
    (user / "notes.txt").write_text("stage: 9\n")
    committed(user)
    return user


def run_hook(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PRE_COMMIT_HOME"] = str(folder.parent / "cache")
    argv = [sys.executable, "-m", "pre_commit", "run", "--color", "never"]
    argv += ["--files", *files] if files else ["--all-files"]
    done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True)
    said = done.stdout + done.stderr
    if "No matching distribution found" in said or "ConnectionError" in said:
        pytest.skip("no package index is in reach for the environment of the hook")
    return done


def test_the_hook_fails_on_a_bad_config_passes_on_a_good_one_and_sees_who_names_it(hooked: Path) -> None:
    failed = run_hook(hooked)
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "ds.json:2:23: error BAT001" in failed.stdout
    (hooked / "ds.json").write_text(BAD.replace("256", "128"))
    git(hooked, "add", "-A")
    passed = run_hook(hooked)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "Passed" in passed.stdout
    (hooked / "train.yaml").write_text(TRAINER)
    git(hooked, "add", "-A")
    joined = run_hook(hooked, "ds.json")
    assert joined.returncode == 1, joined.stdout + joined.stderr
    assert "ds.json:3:37: error BAT006" in joined.stdout
