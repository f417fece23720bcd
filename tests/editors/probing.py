"""A real editor without a screen, started with the lines of its set-up page, and what it shows of a file."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PROBES = Path(__file__).parent / "probes"
WIDE = "größe 模型 🚀"
FACTS = '[facts]\nworld_size = 8\nmodel.params = "7B"\n'
TEXT = f"""\
{{
  "{WIDE}": 1, "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 4,
  "{WIDE} 2": 1, "zero_optimization": {{"stage": 3, "overlap_com": true}}
}}
"""
FIXED = TEXT.replace("overlap_com", "overlap_comm")
QUESTION = {
    "finding": "overlap_com is no key",
    "hover": '"stage"',
    "complete": '"overlap_com"',
    "fix": '"overlap_com"',
    "title": "overlap_comm",
    "fixed_line": 5,
    "fixed": FIXED.splitlines()[4],
}


def probed(command: Sequence[str], folder: Path, name: str = "ds.json", text: str = TEXT) -> dict[str, Any]:
    """What an editor saw of a text in a folder; the probe reads the question and names the file of the
    answer from SHARDLINT_PROBE."""
    workspace = folder / f"work {WIDE}"
    workspace.mkdir()
    (workspace / "shardlint.toml").write_text(FACTS, encoding="utf-8")
    path, answer = workspace / name, folder / "answer.json"
    path.write_text(text, encoding="utf-8")
    question = {**QUESTION, "file": str(path), "answer": str(answer)}
    done = subprocess.run(
        command,
        env=_environment(folder, question),
        cwd=workspace,
        capture_output=True,
        text=True,
        timeout=120,
    )
    said = done.stdout + done.stderr
    assert answer.is_file(), said
    seen: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
    assert "problem" not in seen, f"{seen['problem']}\n{said}"
    return seen


def _environment(folder: Path, question: Mapping[str, object]) -> dict[str, str]:
    """`shardlint` on the path, and none of the settings of who runs the tests."""
    programs = folder / "bin"
    programs.mkdir()
    wrapper = programs / "shardlint"
    paths = os.pathsep.join(path for path in sys.path if path)
    python = f"PYTHONPATH={shlex.quote(paths)} exec {shlex.quote(sys.executable)} -m shardlint_cli"
    wrapper.write_text(f'#!/bin/sh\n{python} "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    homes = {
        name: str(folder / "home") for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    }
    return {
        **os.environ,
        **homes,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "LC_ALL": "C.UTF-8",
        "SHARDLINT_PROBE": json.dumps(question),
    }
