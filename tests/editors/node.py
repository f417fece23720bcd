"""The packages the editor tests run on, installed once into a cache folder outside the project."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from editors.programs import cache_folder, unable

HERE = Path(__file__).parent


@cache
def packages(manifest: Path = HERE / "package.json") -> Path:
    """The folder with the node_modules of a package.json; other packages have another folder. Without npm or
    a registry the test is skipped, except where CI=true."""
    wanted = _dependencies(manifest)
    folder = cache_folder() / hashlib.sha256(wanted.encode()).hexdigest()[:16]
    done = folder / "complete"
    if done.is_file() and shutil.which("node"):
        return folder
    npm = shutil.which("npm")
    if npm is None:
        unable("npm is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(wanted, encoding="utf-8")
    quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"]
    made = subprocess.run([str(npm), "install", *quiet], cwd=folder, capture_output=True, text=True)
    if made.returncode != 0:
        unable(f"npm could not install the packages: {made.stderr.strip()[-300:]}")
    done.touch()
    return folder


def _dependencies(manifest: Path) -> str:
    """A package.json with nothing but what another one has installed."""
    said = json.loads(manifest.read_text(encoding="utf-8"))
    lists = ("dependencies", "devDependencies")
    return json.dumps({"private": True, **{name: said[name] for name in lists if name in said}})


def ask(script: str, question: object) -> Any:
    """Run a script of this folder with a JSON object on stdin; what it prints, decoded."""
    environment = {**os.environ, "NODE_PATH": str(packages() / "node_modules")}
    done = subprocess.run(
        ["node", str(HERE / script)],
        input=json.dumps(question),
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
