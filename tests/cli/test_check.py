from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from shardlint_cli.main import COMMANDS

BAD = """\
{
  "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 4,
  "zero_optimization": {"stage": 2}
}
"""
GOOD = BAD.replace("256", "128")
WORLD = ("--set", "world_size=8")

Run = Callable[..., "tuple[int, str, str]"]


def test_findings_give_exit_code_1(run: Run) -> None:
    Path("ds.json").write_text(BAD)
    code, out, err = run("check", *WORLD)
    assert code == 1
    assert "ds.json:2:23: error BAT001 batch-triangle-mismatch (fails at config)" in out
    assert err == ""


def test_info_does_not_fail(run: Run) -> None:
    Path("ds.json").write_text(GOOD)
    code, out, _ = run("check", *WORLD, "--set", "model.params=7B")
    assert "info MEM001" in out
    assert code == 0


@pytest.mark.parametrize(("level", "code"), [("hint", 1), ("info", 1), ("warning", 0), ("error", 0)])
def test_the_threshold_decides_the_exit_code_only(run: Run, level: str, code: int) -> None:
    Path("ds.json").write_text(GOOD)
    found, out, _ = run("check", *WORLD, "--set", "model.params=7B", "--severity", level)
    assert "info MEM001" in out
    assert found == code


def test_exit_zero(run: Run) -> None:
    Path("ds.json").write_text(BAD)
    assert run("check", *WORLD, "--exit-zero")[0] == 0
    assert run("check", "nowhere.json", "--exit-zero")[0] == 2


def test_json_names_paths_relative_with_slashes(run: Run) -> None:
    Path("conf").mkdir()
    Path("conf/ds.json").write_text(BAD)
    code, out, _ = run("check", *WORLD, "--format", "json")
    found = json.loads(out)
    assert code == 1
    assert found["files"] == [{"path": "conf/ds.json", "format": "deepspeed"}]
    finding = next(each for each in found["findings"] if each["code"] == "BAT001")
    assert (finding["start"], finding["end"]) == ({"line": 2, "column": 23}, {"line": 2, "column": 26})
    assert finding["jobs"] == [job["id"] for job in found["jobs"]] == ["conf/ds.json"]


def test_the_same_json_every_time(run: Run) -> None:
    for name in ("b", "a", "c"):
        Path(f"{name}.json").write_text(BAD)
    assert run("check", *WORLD, "--format", "json") == run("check", ".", *WORLD, "--format", "json")


def test_standard_input_under_a_name(run: Run) -> None:
    code, out, _ = run("check", "-", "--stdin-filename", "conf/ds.json", *WORLD, stdin=BAD.encode())
    assert code == 1
    assert out.startswith("conf/ds.json:2:23: error")


def test_standard_input_takes_the_place_of_the_file(run: Run) -> None:
    Path("ds.json").write_text(BAD)
    assert run("check", "-", "--stdin-filename", "ds.json", *WORLD, stdin=GOOD.encode())[0] == 0


def test_a_name_outside_the_folder(run: Run) -> None:
    argv = ("check", "-", "--stdin-filename", "../elsewhere/ds.json", *WORLD)
    assert run(*argv, stdin=BAD.encode())[1].startswith("../elsewhere/ds.json:2:23: error")
    assert run(*argv, "--fix", "--unsafe-fixes", stdin=BAD.encode())[1] == GOOD


@pytest.mark.parametrize("given", [("ds.json",), ("-", "--stdin-filename", "ds.json")])
def test_a_file_is_judged_with_the_one_beside_it_that_names_it(run: Run, given: tuple[str, ...]) -> None:
    Path("train.yaml").write_text(
        "output_dir: out\nper_device_train_batch_size: 8\nbf16: true\ndeepspeed: ds.json\n"
    )
    Path("ds.json").write_text(GOOD)
    code, out, err = run("check", *given, *WORLD, "--select", "BAT", stdin=GOOD.encode())
    assert (code, err) == (1, "")
    assert "ds.json:3:37: error BAT006" in out and "train.yaml:2" in out
    ledger = run("ledger", "ds.json", "--params", "7B")[1]
    assert ledger.startswith("train.yaml: ZeRO-2") and "train.yaml:3" in ledger


@pytest.mark.parametrize(
    ("text", "name"),
    [(BAD, "stdin.json"), ("train_batch_size: 256\nzero_optimization:\n  stage: 4\n", "stdin.yaml")],
)
def test_standard_input_without_a_name(run: Run, text: str, name: str) -> None:
    out = run("check", "-", "--format", "json", stdin=text.encode())[1]
    assert json.loads(out)["files"] == [{"path": name, "format": "deepspeed"}]


def test_a_missing_file_is_one_line_and_the_rest_is_linted(run: Run) -> None:
    Path("ds.json").write_text(BAD)
    code, out, err = run("check", "nowhere.json", "ds.json", *WORLD)
    assert code == 2
    assert "BAT001" in out
    assert err.splitlines() == ["shardlint: nowhere.json cannot be read: no such file or directory"]


def a_circle(path: Path) -> None:
    path.symlink_to(path)


def too_large(path: Path) -> None:
    path.write_text("{}" + " " * 5 * 1024 * 1024)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (a_circle, "cannot be read: too many levels of symbolic links"),
        (os.mkfifo, "is neither a file nor a folder"),
        (too_large, "is 5.0 MiB; files above 4 MiB are not read"),
    ],
)
def test_what_cannot_be_read_is_one_line(run: Run, make: Callable[[Path], None], said: str) -> None:
    make(Path("ds.json"))
    code, _, err = run("check", "ds.json")
    assert code == 2
    assert err == f"shardlint: ds.json {said}\n"


def test_a_folder_without_configs(run: Run) -> None:
    Path("empty").mkdir()
    Path("ds.json").write_text(GOOD)
    code, _, err = run("check", "empty", "ds.json", *WORLD)
    assert code == 2
    assert err == "shardlint: empty: no config file of a known format in this folder\n"


def test_a_file_of_no_known_format_is_fine(run: Run) -> None:
    Path("package.json").write_text('{"name": "x"}')
    assert run("check", "package.json") == (0, "no findings in 1 file, 1 of no known format\n", "")


def test_settings_named_like_configs_are_no_unknown_format(run: Run) -> None:
    Path("shardlint.toml").write_text("[facts]\nworld_size = 8\n")
    assert run("check", "shardlint.toml") == (0, "no findings in 1 file\n", "")


def test_an_unknown_rule_is_named_with_the_nearest(run: Run) -> None:
    Path("ds.json").write_text(BAD)
    code, out, err = run("check", *WORLD, "--ignore", "batch-triangle-mismach", "--select", "BAT,XYZ")
    assert code == 2
    assert "BAT001" in out
    assert err.splitlines() == [
        "shardlint: --select XYZ: no rule has this name, code or family",
        "shardlint: --ignore batch-triangle-mismach: no rule has this name, code or family "
        "(did you mean batch-triangle-mismatch?)",
    ]


@pytest.mark.parametrize(("option", "found"), [("--select", True), ("--ignore", False)])
@pytest.mark.parametrize("word", ["BAT001", "bat001", "batch-triangle-mismatch", "BAT"])
def test_rules_are_named_by_code_name_or_family(run: Run, option: str, found: bool, word: str) -> None:
    Path("ds.json").write_text(BAD)
    assert ("BAT001" in run("check", *WORLD, option, word)[1]) is found


@pytest.mark.parametrize("flag", ["world_size", "world_size=", "world_size=many", "word_size=8"])
def test_a_bad_set_is_one_line_and_the_rest_is_linted(run: Run, flag: str) -> None:
    Path("ds.json").write_text(BAD)
    code, out, err = run("check", "--set", flag, *WORLD)
    assert code == 2
    assert "BAT001" in out
    assert len(err.splitlines()) == 1
    assert err.startswith("shardlint: --set")
    assert flag.partition("=")[0] in err


def test_a_missing_settings_file(run: Run) -> None:
    Path("ds.json").write_text(BAD)
    code, out, err = run("check", "--config", "nowhere.toml", *WORLD)
    assert code == 2
    assert "BAT001" in out
    assert err == "shardlint: nowhere.toml: this settings file cannot be read\n"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("check", "--fomat", "json"), "unknown argument --fomat (did you mean --format?)"),
        (("check", "--format", "jsn"), "unknown format jsn (did you mean json?), known: text, json"),
        (("check", "--severity", "fatal"), "unknown severity fatal, known: hint, info, warning, error"),
        (("check", "--fix", "--diff"), "not allowed with argument"),
        (("chekc",), "unknown command chekc (did you mean check?)"),
        (("--format", "json"), "options follow the command, as in `shardlint check --format`"),
    ],
)
def test_usage_errors_are_one_line(run: Run, argv: tuple[str, ...], said: str) -> None:
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_file_in_the_place_of_a_command(run: Run) -> None:
    Path("ds.json").write_text(GOOD)
    assert run("ds.json") == (
        2,
        "",
        "shardlint: ds.json is no command; to lint it: shardlint check ds.json\n",
    )


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    code, out, err = run()
    assert (code, out) == (2, "")
    assert err == run("--help")[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(
    run: Run, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = run(command, "--help")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "examples:" in out
    assert f"shardlint {command}" in out


def test_diff_shows_and_fix_writes_the_same(run: Run) -> None:
    file = Path("ds.json")
    file.write_text(BAD)
    code, out, _ = run("check", *WORLD, "--diff", "--unsafe-fixes")
    assert code == 1
    assert file.read_text() == BAD
    assert out.splitlines()[:2] == ["--- a/ds.json", "+++ b/ds.json"]
    assert '-  "train_batch_size": 256,' in out.splitlines()
    assert '+  "train_batch_size": 128,' in out.splitlines()
    code, out, err = run("check", *WORLD, "--fix", "--unsafe-fixes")
    assert file.read_text() == GOOD
    assert err == "fixed ds.json: Set train_batch_size to 128\n"
    assert code == 0
    assert "BAT001" not in out


def test_an_unsafe_fix_needs_asking(run: Run) -> None:
    Path("ds.json").write_text(BAD)
    assert run("check", *WORLD, "--diff")[:2] == (0, "")
    run("check", *WORLD, "--fix")
    assert Path("ds.json").read_text() == BAD


def test_fixing_standard_input_prints_the_text(run: Run) -> None:
    code, out, err = run("check", "-", *WORLD, "--fix", "--unsafe-fixes", stdin=BAD.encode())
    assert (code, out) == (0, GOOD)
    assert "BAT001" not in err
    code, out, err = run("check", "-", *WORLD, "--fix", stdin=BAD.encode())
    assert (code, out) == (1, BAD)
    assert "BAT001" in err
