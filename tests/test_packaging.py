"""The wheel holds what runs, and nothing else; versions agree."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from shardlint import __version__

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    target = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--quiet",
        "--wheel-dir",
        str(target),
        str(ROOT),
    ]
    done = subprocess.run(build, capture_output=True, text=True)
    if "No matching distribution found" in done.stderr or "No module named pip" in done.stderr:
        pytest.skip("neither pip nor a package index is in reach to build a wheel")
    assert done.returncode == 0, done.stderr
    (found,) = target.glob("*.whl")
    return zipfile.ZipFile(found)


def test_the_wheel_holds_every_file_of_the_packages(wheel: zipfile.ZipFile) -> None:
    sources = {
        path.relative_to(top.parent).as_posix()
        for top in (
            ROOT / "rules" / "shardlint",
            ROOT / "server" / "shardlint_cli",
            ROOT / "server" / "shardlint_lsp",
        )
        for path in top.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == sources
    assert {"shardlint/py.typed", "shardlint/schema/deepspeed.tsv"} <= packed


def test_the_metadata(wheel: zipfile.ZipFile) -> None:
    folder = f"shardlint-{__version__}.dist-info"
    metadata = wheel.read(f"{folder}/METADATA").decode()
    assert re.search(rf"^Version: {re.escape(__version__)}$", metadata, re.MULTILINE)
    assert re.search(r"^Requires-Python: >=3\.10$", metadata, re.MULTILINE)
    assert re.search(r"^License-Expression: Apache-2\.0$", metadata, re.MULTILINE)
    assert "shardlint = shardlint_cli.main:run" in wheel.read(f"{folder}/entry_points.txt").decode()


def test_nothing_imports_torch_or_a_front_end_by_accident() -> None:
    """The base dependencies are small and pure enough for any machine."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = text.partition("dependencies = [")[2].partition("]\n")[0]
    names = re.findall(r'^    "([A-Za-z0-9.]+)', block, re.MULTILINE)
    assert names == [
        "ruamel.yaml",
        "ruamel.yaml.clib",
        "rapidfuzz",
        "pathspec",
        "tomli",
        "pygls",
        "lsprotocol",
    ]


def test_the_change_log_knows_this_version_or_says_unreleased() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{__version__}]" in text or "## [Unreleased]" in text
