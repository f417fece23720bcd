"""Which files are looked at together, whatever appears, changes or goes."""

from __future__ import annotations

from pathlib import Path

from shardlint.workspace import Workspace
from shardlint_lsp.preferences import Preferences
from shardlint_lsp.referrers import Referrers
from shardlint_lsp.roots import Root

LAUNCHER = (
    "distributed_type: DEEPSPEED\ndeepspeed_config: {deepspeed_config_file: ds.json}\nnum_processes: 8\n"
)
DEEPSPEED = (
    '{"train_batch_size": 256, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 4}\n'
)
PREFERENCES = Preferences()


def test_a_file_that_appears_is_known_to_those_that_name_it(tmp_path: Path) -> None:
    launcher, named = tmp_path / "configs" / "accelerate.yaml", tmp_path / "configs" / "ds.json"
    launcher.parent.mkdir()
    launcher.write_text(LAUNCHER)
    referrers = Referrers(Workspace(tmp_path))
    referrers.read(launcher)
    assert referrers.together(launcher) == (launcher,)
    named.write_text(DEEPSPEED)
    assert referrers.together(named) == (named, launcher)


def test_a_nearer_file_of_the_name(tmp_path: Path) -> None:
    """A file at the root is found before one beside the file that names it."""
    launcher, beside, at_root = (tmp_path / name for name in ("c/accelerate.yaml", "c/ds.json", "ds.json"))
    launcher.parent.mkdir()
    launcher.write_text(LAUNCHER)
    beside.write_text(DEEPSPEED)
    referrers = Referrers(Workspace(tmp_path))
    referrers.read(launcher)
    assert referrers.of(beside) == (launcher,)
    assert referrers.of(at_root) == (launcher,)


def test_unsaved_names_are_forgotten_with_their_text(tmp_path: Path) -> None:
    launcher, named = tmp_path / "accelerate.yaml", tmp_path / "ds.json"
    named.write_text(DEEPSPEED)
    root = Root(tmp_path)
    root.analyse(launcher, {launcher: LAUNCHER}, PREFERENCES)
    both = root.analyse(named, {launcher: LAUNCHER}, PREFERENCES)
    assert {file for job in both.jobs for file in job.files} == {"accelerate.yaml", "ds.json"}
    alone = root.analyse(named, {}, PREFERENCES)
    assert {file for job in alone.jobs for file in job.files} == {"ds.json"}
    assert not alone.report.notices


def test_a_circle_of_names_ends(tmp_path: Path) -> None:
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text(LAUNCHER.replace("ds.json", "b.yaml"))
    second.write_text(LAUNCHER.replace("ds.json", "a.yaml"))
    root = Root(tmp_path)
    root.analyse(first, {}, PREFERENCES)
    assert root.referrers.together(first) == (first, second)
