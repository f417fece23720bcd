"""Input that is not there, unreadable or not meant: one line with its place, everything else is linted."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from shardlint_cli import request

Run = Callable[..., "tuple[int, str, str]"]
BAD = '{"zero_optimization": {"stage": 5}}'


@pytest.fixture
def bad(run: Run) -> Run:
    Path("ds.json").write_text(BAD)
    return run


def test_a_name_too_long_for_the_disk_is_told_and_the_rest_is_linted(bad: Run) -> None:
    code, out, err = bad("check", "a" * 300 + ".json", "ds.json")
    assert code == 2
    assert "ds.json:1:" in out
    assert "file name too long" in err
    assert err.count("\n") == 1


def test_an_empty_word_names_nothing(bad: Run) -> None:
    code, out, err = bad("check", "")
    assert (code, out) == (2, "")
    assert "an empty word names no file" in err


def test_a_name_for_standard_input_needs_standard_input(bad: Run) -> None:
    code, out, err = bad("check", "ds.json", "--stdin-filename", "x.json")
    assert (code, out) == (2, "")
    assert "--stdin-filename names standard input" in err
    assert err.count("\n") == 1


def test_a_half_typed_option_of_a_group_is_recognised(bad: Run) -> None:
    assert "did you mean --fix?" in bad("check", "--fi")[2]


def test_a_deleted_working_folder_is_named(bad: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    code, _, err = bad("check")
    assert code == 2
    assert err == "shardlint: the current folder: No such file or directory\n"


def test_a_fault_of_ours_is_one_line(bad: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("many\nlines")

    monkeypatch.setattr(request, "lint", fail)
    code, out, err = bad("check", "ds.json")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "ValueError at test_bad_input.py" in err
    assert "many lines" in err


@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_a_settings_file_that_cannot_be_read_is_told(bad: Run, kind: str) -> None:
    if kind == "folder":
        Path("shardlint.toml").mkdir()
    elif kind == "pipe":
        os.mkfifo("shardlint.toml")
    else:
        Path("shardlint.toml").symlink_to("shardlint.toml")
    code, out, err = bad("check", "ds.json")
    assert code == 2
    assert "ds.json:1:" in out
    assert err.startswith("shardlint: shardlint.toml is there, but is no readable file")
    assert err.count("\n") == 1


def test_a_long_value_is_shortened(bad: Run) -> None:
    _, _, err = bad("check", "ds.json", "--set", "model.params=" + "9" * 5000)
    assert len(err) < 200
    assert "is no count" in err


@pytest.mark.parametrize("name", ["nope.json", "folder", "", "../../..", "/dev/zero", "http://x/y.json"])
def test_a_job_that_lists_no_file_says_so(bad: Run, name: str) -> None:
    Path("folder").mkdir()
    Path("shardlint.toml").write_text(f'[[jobs]]\nfiles = ["ds.json", "{name}"]\n')
    code, out, err = bad("check", "ds.json")
    assert code == 1
    assert "shardlint.toml:2:21: warning SET002" in out
    assert "is no file, so the job goes without it" in out
    assert err == ""


def test_two_jobs_that_share_a_file_share_no_facts(run: Run) -> None:
    Path("ds.json").write_text('{"train_batch_size": 8, "zero_optimization": {"stage": 2}}')
    Path("shardlint.toml").write_text(
        '[[jobs]]\nfiles = ["ds.json"]\nfacts.world_size = 8\n'
        '[[jobs]]\nfiles = ["ds.json"]\nfacts.model.params = "7B"\n'
    )
    code, out, _ = run("check", "ds.json")
    assert code == 0
    assert "1 job lacks facts for memory figures" in out
    assert "GiB/rank" not in out


def test_more_standard_input_than_is_read_is_told(bad: Run) -> None:
    code, _, err = bad("check", "-", "--stdin-filename", "x.json", stdin=b" " * (4 * 1024 * 1024 + 1))
    assert code == 2
    assert err == "shardlint: x.json is more than 4 MiB, which is not read\n"


@pytest.mark.parametrize("item", ["[{}]", "{{<<: [{}]}}"])
def test_aliases_of_aliases_end_soon(run: Run, item: str) -> None:
    lines = [f"  k{at}: &k{at} " + item.format(", ".join([f"*k{at - 1}"] * 9)) for at in range(1, 40)]
    text = "\n".join(["distributed_type: FSDP", "fsdp_config:", "  k0: &k0 {a: 1}", *lines, ""])
    Path("accelerate.yaml").write_text(text)
    started = process_time()
    assert run("check", "accelerate.yaml")[0] == 1
    assert process_time() - started < 10


def test_fix_follows_no_reference_out_of_the_folder(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '{"train_batch_size": 8, "zero_optimization": {"stage": 2},}'
    Path("ds.json").write_text(text)
    Path("inside").mkdir()
    Path("inside/accelerate.yaml").write_text(
        "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\nnum_machines: 1\n"
        "deepspeed_config:\n  deepspeed_config_file: ../ds.json\nnum_processes: 8\n"
    )
    monkeypatch.chdir("inside")
    code, _, err = run("check", "--fix")
    assert code == 2
    assert err.startswith("shardlint: ../ds.json: not fixed")
    assert Path("../ds.json").read_text() == text
    assert "fixed ../ds.json" in run("check", "--fix", ".", "../ds.json")[2]
    assert Path("../ds.json").read_text() != text


HUGE = ("9" * 5000, "9" * 4200, "-" + "9" * 4200, "0x" + "9" * 5000)


@pytest.mark.parametrize("number", HUGE, ids=["5000", "4200", "negative", "hex"])
@pytest.mark.parametrize("name", ["ds.json", "ds.yaml"])
def test_a_whole_number_of_thousands_of_digits_stops_no_rule(run: Run, name: str, number: str) -> None:
    degrees = '"tensor_parallel": {"autotp_size": 2}'
    zero = f'"zero_optimization": {{"stage": 3, "reduce_bucket_size": {number}}}'
    batch = f'"train_batch_size": {number},\n "train_micro_batch_size_per_gpu": 3,\n {degrees}'
    Path(name).write_text(f"{{\n {batch},\n {zero}\n}}\n")
    code, out, err = run("check", name, "--set", "world_size=8")
    assert (code in (0, 1), err) == (True, "")
    assert "set_int_max_str_digits" not in out


def test_a_whole_number_that_tomllib_cannot_convert_is_said_in_our_words(run: Run) -> None:
    Path("ds.toml").write_text(f"train_batch_size = {'9' * 5000}\n[zero_optimization]\nstage = 1\n")
    _, out, _ = run("check", "ds.toml")
    assert "not readable as TOML: a whole number of more than 4300 digits" in " ".join(out.split())
    assert "set_int_max_str_digits" not in out


def test_a_settings_file_of_another_kind_is_one_line(run: Run) -> None:
    Path("ds.json").write_text('{"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 1}}')
    code, out, err = run("check", "ds.json", "--config", "ds.json")
    assert (code, err.count("\n")) == (2, 1)
    assert "ds.json is no TOML with settings" in err
    assert "SET0" not in out


def test_an_unreadable_file_in_a_folder_is_named_once(bad: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("other.json").write_text(BAD)
    Path("train.yaml").write_text("per_device_train_batch_size: 1\noutput_dir: out\ndeepspeed: other.json\n")
    read = Path.read_bytes

    def locked(path: Path) -> bytes:
        if path.name == "other.json":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", locked)
    code, _, err = bad("check", ".")
    assert code == 1
    assert err.count("other.json cannot be read: permission denied") == 1
