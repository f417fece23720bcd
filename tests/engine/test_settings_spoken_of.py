"""Settings are spoken of where they are in force: for what was linted, or for what was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardlint.engine import Options, lint

CONFIG = '{"train_micro_batch_size_per_gpu": 1, "bf16": {"enabled": true}}'
BROKEN = "[facts\n"
RULE = "broken-settings-file"


def spoken_of(root: Path, *asked: str) -> list[str]:
    """The settings files that are called broken."""
    report = lint([root / name for name in asked], Options(root=root, select=(RULE,)))
    return [finding.place.path for finding in report.findings]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with broken settings, others of which some have their own."""
    files = {
        "here/shardlint.toml": BROKEN,
        "here/ds.json": CONFIG,
        "here/plain/ds.json": CONFIG,
        "here/own/ds.json": CONFIG,
        "here/own/shardlint.toml": "[facts]\nworld_size = 8\n",
        "here/empty/notes.txt": "",
        "there/ds.json": CONFIG,
        "there/sub/shardlint.toml": BROKEN,
        "there/sub/ds.json": CONFIG,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path / "here"


@pytest.mark.parametrize("asked", [".", "ds.json", "plain", "plain/ds.json", "empty", "shardlint.toml"])
def test_settings_in_force(root: Path, asked: str) -> None:
    assert spoken_of(root, asked) == ["shardlint.toml"]


def test_nothing_asked_for_is_the_root(root: Path) -> None:
    assert spoken_of(root) == ["shardlint.toml"]


@pytest.mark.parametrize("asked", ["own", "own/ds.json", "../there/ds.json"])
def test_settings_of_no_file_that_is_linted(root: Path, asked: str) -> None:
    assert spoken_of(root, asked) == []


@pytest.mark.parametrize("asked", ["../there", "../there/sub", "../there/sub/shardlint.toml"])
def test_settings_elsewhere(root: Path, asked: str) -> None:
    assert spoken_of(root, asked) == ["../there/sub/shardlint.toml"]


def test_unreadable_settings_of_no_file_that_is_linted(root: Path) -> None:
    (root / "shardlint.toml").unlink()
    (root / "shardlint.toml").mkdir()
    options = Options(root=root)
    assert lint([root.parent / "there" / "ds.json"], options).notices == ()
    assert [notice.path for notice in lint([root], options).notices] == ["shardlint.toml"]


def test_what_is_said_of_settings_is_silenced_by_themselves(root: Path) -> None:
    (root / "shardlint.toml").write_text('[lint]\nignore = ["SET"]\n')
    assert spoken_of(root, "../there/sub") == ["../there/sub/shardlint.toml"]
