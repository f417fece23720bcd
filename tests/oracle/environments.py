"""The releases of DeepSpeed and accelerate that the oracles ask, each in a folder of its own.

`python -m oracle.environments` (with `tests` on the path) makes them from the package index. They share
the torch of one interpreter: SHARDLINT_ORACLE_PYTHON, else the one that runs this. The folders lie below
SHARDLINT_ORACLES, else below the user's cache. A release that interpreter has itself needs no folder.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

RELEASES = {
    "deepspeed": ("0.19.8", "0.18.9", "0.16.9"),
    "accelerate": ("1.15.0", "1.6.0", "0.34.2"),
}
"""The newest release first; the others are the ends of stretches in which much changed."""


class Environment(NamedTuple):
    """An interpreter and the folders put before its own packages."""

    framework: str
    version: str
    python: str
    folders: tuple[Path, ...]

    def variables(self, *more: Path) -> dict[str, str]:
        """The variables of a process that imports this release, and what lies in `more`."""
        path = os.pathsep.join(str(folder) for folder in (*more, *self.folders))
        return {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}


def python() -> str:
    """The interpreter that has torch."""
    return os.environ.get("SHARDLINT_ORACLE_PYTHON") or sys.executable


def cache_folder() -> Path:
    named = os.environ.get("SHARDLINT_ORACLES")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "shardlint" / "oracles"


@cache
def installed(package: str) -> str | None:
    """The release of a package the interpreter has itself, or None."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    asked = subprocess.run([python(), "-c", code], capture_output=True, text=True, env=bare, check=False)
    return asked.stdout.strip() or None


def find(framework: str, version: str) -> Environment | None:
    """The environment of a release, or None where it has not been made or there is no torch."""
    if installed("torch") is None:
        return None
    if installed(framework) == version:
        return Environment(framework, version, python(), ())
    folder = cache_folder() / f"{framework}-{version}"
    return Environment(framework, version, python(), (folder,)) if (folder / framework).is_dir() else None


def make(framework: str, version: str) -> Environment:
    """The environment of a release, made where it is not there. Raises CalledProcessError when pip fails."""
    known = find(framework, version)
    if known is not None:
        return known
    folder = cache_folder() / f"{framework}-{version}"
    command = [python(), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
    if framework == "deepspeed":
        command.append("--no-build-isolation")
    variables = {**os.environ, "DS_BUILD_OPS": "0"}
    subprocess.run([*command, f"{framework}=={version}"], env=variables, check=True)
    return Environment(framework, version, python(), (folder,))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("frameworks", nargs="*", default=list(RELEASES), help="all of them by default")
    for framework in parser.parse_args().frameworks:
        for version in RELEASES[framework]:
            made = make(framework, version)
            print(framework, version, made.folders[0] if made.folders else "is installed")


if __name__ == "__main__":
    main()
