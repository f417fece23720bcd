"""Who reads a DeepSpeed file that does not say so: what files beside and above it show."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardlint.compose import neighbours
from shardlint.compose.nearby import MOST_FILES
from shardlint.engine import Options, jobs_of, lint
from shardlint.plan import Fact

DEEPSPEED = '{"zero_optimization": {"stage": 2}, "train_micro_batch_size_per_gpu": 4}'
TRAINER = "output_dir: out\nper_device_train_batch_size: 4\nnum_train_epochs: 1\n"
LAUNCHER = "distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: {}\nnum_processes: 8\n"


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def consumer(root: Path, path: str = "conf/ds.json", *sets: str) -> Fact[str]:
    """Who reads a file that is linted alone."""
    (job,), _ = jobs_of([root / path], Options(root=root, sets=sets))
    return job.consumer


@pytest.mark.parametrize(
    ("beside", "origin"),
    [
        ({"conf/train.yaml": f"{TRAINER}deepspeed: /mnt/run/ds.json\n"}, "conf/train.yaml names it"),
        ({"a.yaml": LAUNCHER.format("/mnt/run/ds.json")}, "a.yaml names it"),
        ({"train.json": '{"num_train_epochs": 1, "deepspeed": "./conf/ds.json"}'}, "train.json names it"),
        (
            {
                "conf/a.yaml": LAUNCHER.format("x.json"),
                "train.yaml": f"{TRAINER}deepspeed: /mnt/run/ds.json\n",
            },
            "train.yaml names it",
        ),
        ({"conf/train.yaml": TRAINER}, "conf/train.yaml beside or above it is a file of training arguments"),
        (
            {"a.yaml": LAUNCHER.format("x.json")},
            "a.yaml beside or above it is an accelerate file for DeepSpeed",
        ),
    ],
)
def test_the_trainer_is_assumed(tmp_path: Path, beside: dict[str, str], origin: str) -> None:
    write(tmp_path, {"conf/ds.json": DEEPSPEED, **beside})
    found = consumer(tmp_path)
    assert (found.value, found.standing, found.origin) == ("hf-trainer", "assumed", origin)


@pytest.mark.parametrize(
    "beside",
    [
        {},
        {"conf/other.json": DEEPSPEED},
        {"conf/fsdp.yaml": "distributed_type: FSDP\nnum_processes: 8\n"},
        {"other/train.yaml": TRAINER},
        {"conf/train.txt": TRAINER},
        {"conf/sub/train.yaml": TRAINER},
    ],
)
def test_nothing_is_assumed(tmp_path: Path, beside: dict[str, str]) -> None:
    write(tmp_path, {"conf/ds.json": DEEPSPEED, **beside})
    assert not consumer(tmp_path).known


def test_files_above_the_root_are_not_looked_at(tmp_path: Path) -> None:
    write(tmp_path, {"root/ds.json": DEEPSPEED, "train.yaml": TRAINER})
    assert not consumer(tmp_path / "root", "ds.json").known


def test_a_setting_or_a_filled_auto_decides_first(tmp_path: Path) -> None:
    write(tmp_path, {"conf/ds.json": DEEPSPEED, "conf/train.yaml": TRAINER})
    assert consumer(tmp_path, "conf/ds.json", "consumer=deepspeed").value == "deepspeed"
    write(tmp_path, {"conf/ds.json": '{"zero_optimization": {"stage": 3}, "train_batch_size": "auto"}'})
    assert "is filled by the Trainer" in consumer(tmp_path).origin


@pytest.mark.parametrize("linted", [".", "conf/ds.json"])
def test_a_file_that_leads_to_it_is_more_than_an_assumption(tmp_path: Path, linted: str) -> None:
    write(tmp_path, {"conf/ds.json": DEEPSPEED, "conf/a.yaml": LAUNCHER.format("ds.json")})
    (job,), _ = jobs_of([tmp_path / linted], Options(root=tmp_path))
    assert job.entry.format.name == "accelerate" and job.consumer.certain


def test_an_assumed_reader_never_yields_an_error_of_its_loader(tmp_path: Path) -> None:
    write(tmp_path, {"ds.json": "{// hjson\n" + DEEPSPEED[1:], "train.yaml": TRAINER})
    found = lint([tmp_path / "ds.json"], Options(root=tmp_path)).findings
    assert [finding.message for finding in found if finding.severity.word == "error"] == []


def test_each_folder_is_looked_at_once_and_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {f"conf/ds{at}.json": DEEPSPEED for at in range(5)})
    write(tmp_path, {f"conf/n{at:04}.json": "{}" for at in range(200)})
    heads: list[Path] = []
    monkeypatch.setattr(neighbours, "_clue", lambda path, shelf: heads.append(path))
    lint([tmp_path], Options(root=tmp_path))
    assert len(heads) == MOST_FILES
