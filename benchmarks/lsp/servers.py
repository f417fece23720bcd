"""The servers: how each is started, and on which of its own files it is measured."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.lsp.texts import Typed, deepspeed, python, trainer

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Server(NamedTuple):
    """`command` starts it; `texts` make its files of a number of lines; `settings` answer its questions."""

    name: str
    command: tuple[str, ...]
    texts: tuple[Callable[[int], Typed], ...]
    settings: Any = None
    environment: dict[str, str] | None = None


def shardlint() -> Server:
    paths = os.pathsep.join(str(ROOT / part) for part in ("rules", "server"))
    environment = {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": ""}
    return Server(
        "shardlint", (sys.executable, "-m", "shardlint_cli", "lsp"), (deepspeed, trainer), None, environment
    )


def peers() -> list[Server]:
    """The other servers that can be had: ruff from the environment, two from npm."""
    found: list[Server] = []
    ruff = shutil.which("ruff", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if ruff:
        found.append(Server("ruff server", (ruff, "server"), (python,)))
    programs = node_programs()
    if programs:
        node = shutil.which("node") or "node"
        yaml = {"validate": True, "schemaStore": {"enable": False}}
        json = {"validate": {"enable": True}, "schemas": []}
        found += [
            Server(
                "yaml-language-server",
                (node, str(programs / "yaml-language-server"), "--stdio"),
                (trainer,),
                yaml,
            ),
            Server(
                "vscode-json-language-server",
                (node, str(programs / "vscode-json-language-server"), "--stdio"),
                (deepspeed,),
                json,
            ),
        ]
    return found


def node_programs() -> Path | None:
    """The folder of the npm programs, installed once into the user's cache; None without npm."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        return None
    manifest = HERE / "package.json"
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "shardlint" / "benchmarks"
    folder = base / hashlib.sha256(manifest.read_bytes()).hexdigest()[:16]
    programs = folder / "node_modules" / ".bin"
    if not programs.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(manifest, folder)
        quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"]
        done = subprocess.run([npm, "install", *quiet], cwd=folder, check=False)
        if done.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            return None
    return programs
