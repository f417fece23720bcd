"""A cold check of one small JSON file is cheap, and imports nothing it does not need."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

CONFIG = """\
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "zero_optimization": {"stage": 3, "overlap_comm": true}
}
"""
FACTS = ("--set", "world_size=8", "--set", "model.params=7B")
TARGET, LIMIT = 0.120, 0.200
"""Seconds of CPU: what we want on our machines, and what no machine should exceed."""

HEAVY = ("pygls", "lsprotocol", "torch", "transformers", "ruamel", "rapidfuzz", "pathspec", "asyncio")


class Cold:
    """A check as a new process in a folder of its own; byte code is kept, as in an installation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        paths = os.pathsep.join(path for path in sys.path if path)
        cache = str(folder / "cache")
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.environment = {**kept, "PYTHONPATH": paths, "PYTHONPYCACHEPREFIX": cache}

    def run(self, file: str, text: str, *python: str) -> str:
        """What the process writes to stderr."""
        (self.folder / file).write_text(text)
        argv = [sys.executable, *python, "-m", "shardlint_cli", "check", file, *FACTS]
        done = subprocess.run(argv, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stderr

    def cpu(self) -> float:
        """Seconds of CPU of a whole run, start of the interpreter included."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run("ds.json", CONFIG)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def heavy(self, file: str, text: str) -> set[str]:
        """The heavy packages a run imports."""
        lines = self.run(file, text, "-X", "importtime").splitlines()
        modules = {line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")}
        assert "shardlint.engine" in modules
        return {module.partition(".")[0] for module in modules} & set(HEAVY)


@pytest.fixture
def cold(tmp_path: Path) -> Cold:
    return Cold(tmp_path)


def test_cpu_of_one_small_file(cold: Cold) -> None:
    cold.run("ds.json", CONFIG)
    best = min(cold.cpu() for _ in range(5))
    print(f"cold check of one JSON file: {best * 1000:.0f} ms of CPU (target {TARGET * 1000:.0f} ms)")
    assert best < LIMIT


def test_nothing_heavy_is_imported(cold: Cold) -> None:
    assert cold.heavy("ds.json", CONFIG) == set()


def test_yaml_needs_its_parser_and_nothing_else(cold: Cold) -> None:
    assert cold.heavy("ds.yaml", "zero_optimization:\n  stage: 3\n") <= {"ruamel"}
