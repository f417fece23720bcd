"""A cold check of one small file is cheap, and imports nothing it does not need."""

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
TOML = '[facts]\nworld_size = 8\nmodel.params = "7B"\ngpu.name = "A100-80GB"\n'
YAML = """\
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
fsdp_config:
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_sharding_strategy: FULL_SHARD
  fsdp_version: 1
mixed_precision: bf16
num_machines: 1
num_processes: 8
"""

TARGET = 0.120
"""Seconds of CPU that a JSON file may cost on our machines."""

LIMIT = float(os.environ.get("SHARDLINT_STARTUP_LIMIT", "0.160"))
"""What no machine should exceed: loose, because others use its cores."""

RUNS = 10
"""So often a run may be disturbed by others."""

HEAVY = (
    "accelerate",
    "asyncio",
    "dataclasses",
    "deepspeed",
    "importlib.metadata",
    "inspect",
    "lsprotocol",
    "pathspec",
    "pygls",
    "rapidfuzz",
    "ruamel",
    "shutil",
    "socket",
    "tempfile",
    "torch",
    "transformers",
)


class Cold:
    """A check as a new process in a folder of its own; byte code is kept, as in an installation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        paths = os.pathsep.join(path for path in sys.path if path)
        cache = str(folder / "cache")
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.environment = {**kept, "PYTHONPATH": paths, "PYTHONPYCACHEPREFIX": cache}

    def run(
        self, file: str, text: str, *python: str, start: tuple[str, str] = ("-m", "shardlint_cli")
    ) -> str:
        """What the process writes to stderr."""
        (self.folder / file).write_text(text)
        argv = [sys.executable, *python, *start, "check", file]
        done = subprocess.run(argv, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode in (0, 1) and " in 1 file" in done.stdout, done.stdout + done.stderr
        return done.stderr

    def cpu(self, file: str, text: str, limit: float) -> float:
        """Seconds of CPU of a whole run, start of the interpreter included: of the first one below the limit,
        else the least."""
        self.run(file, text)
        runs: list[float] = []
        while len(runs) < RUNS and min(runs, default=limit) >= limit:
            runs.append(self._cpu(file, text))
        return min(runs)

    def _cpu(self, file: str, text: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run(file, text)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def modules(self, file: str, text: str) -> set[str]:
        """All that a run imports."""
        code = "import sys, shardlint_cli.main as m; m.main(); print(*sys.modules, file=sys.stderr)"
        return set(self.run(file, text, start=("-c", code)).split())

    def heavy(self, file: str, text: str) -> set[str]:
        """The heavy packages a run imports."""
        lines = self.run(file, text, "-X", "importtime").splitlines()
        modules = {line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")}
        assert "shardlint.engine" in modules
        return {name for name in HEAVY if any(f"{module}.".startswith(f"{name}.") for module in modules)}


@pytest.fixture
def cold(tmp_path: Path) -> Cold:
    return Cold(tmp_path)


@pytest.mark.parametrize(
    ("file", "text", "settings", "limit"),
    [
        pytest.param("ds.json", CONFIG, "", LIMIT, id="JSON"),
        pytest.param("ds.json", CONFIG, TOML, LIMIT * 1.2, id="JSON and settings"),
        pytest.param("accelerate.yaml", YAML, "", LIMIT * 1.4, id="YAML"),
    ],
)
def test_cpu_of_one_small_file(cold: Cold, file: str, text: str, settings: str, limit: float) -> None:
    if settings:
        (cold.folder / "shardlint.toml").write_text(settings)
    best = cold.cpu(file, text, limit)
    print(f"cold check of {file}: {best * 1000:.0f} ms of CPU (a JSON file alone: {TARGET * 1000:.0f} ms)")
    assert best < limit


@pytest.mark.parametrize("settings", ["", TOML], ids=["alone", "with settings"])
def test_nothing_heavy_is_imported(cold: Cold, settings: str) -> None:
    if settings:
        (cold.folder / "shardlint.toml").write_text(settings)
    assert cold.heavy("ds.json", CONFIG) == set()


def test_rules_about_other_words_are_not_imported(cold: Cold) -> None:
    modules = cold.modules("ds.json", CONFIG)
    family = "shardlint.checks.sharding"
    assert f"{family}.one_rank_sharding" in modules
    assert not modules & {f"{family}.zenflow_prerequisite_missing", f"{family}.whole_model_one_unit"}


def test_a_slip_of_the_hand_needs_the_distance_of_words(cold: Cold) -> None:
    assert cold.heavy("ds.json", CONFIG.replace("overlap_comm", "overlap_com")) == {"rapidfuzz"}


def test_yaml_needs_its_parser_and_nothing_else(cold: Cold) -> None:
    assert cold.heavy("accelerate.yaml", YAML) <= {"ruamel"}
