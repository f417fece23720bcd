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
MANIFEST = HERE / "package.json"


def _folder() -> Path:
    """Another list of packages has another folder."""
    return cache_folder() / hashlib.sha256(MANIFEST.read_bytes()).hexdigest()[:16]


@cache
def packages() -> Path:
    """The folder with node_modules. Without npm or a registry the test is skipped, except where CI=true."""
    folder = _folder()
    done = folder / "complete"
    if done.is_file() and shutil.which("node"):
        return folder
    npm = shutil.which("npm")
    if npm is None:
        unable("npm is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(MANIFEST, folder)
    quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"]
    made = subprocess.run([str(npm), "install", *quiet], cwd=folder, capture_output=True, text=True)
    if made.returncode != 0:
        unable(f"npm could not install the packages: {made.stderr.strip()[-300:]}")
    done.touch()
    return folder


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
