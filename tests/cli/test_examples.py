"""The shipped examples print what `examples/expected.txt` says. Run as a script to write it anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shardlint_cli.main import main

ROOT = Path(__file__).parent.parent.parent
EXPECTED = ROOT / "examples" / "expected.txt"


def linted(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    code = main(["check", "examples"])
    out, err = capfd.readouterr()
    return code, out, err


def test_examples_print_what_is_expected(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert linted(monkeypatch, capfd) == (1, EXPECTED.read_text(encoding="utf-8"), "")


def test_good_examples_have_no_warnings_and_faulty_ones_have_some() -> None:
    heads = re.findall(r"^examples/(good|faulty)/(\S+?):\d+:\d+: (\w+) ", EXPECTED.read_text(), re.MULTILINE)
    loud = {(folder, name) for folder, name, severity in heads if severity in ("error", "warning")}
    assert {folder for folder, _ in loud} == {"faulty"}
    faulty = list((ROOT / "examples" / "faulty").iterdir())
    spoken = {name.partition("/")[0] for _, name in loud}
    assert {path.name for path in faulty} == spoken


if __name__ == "__main__":
    import contextlib
    import io
    import os

    os.chdir(ROOT)
    os.environ["COLUMNS"] = "80"
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        main(["check", "examples"])
    EXPECTED.write_text(shown.getvalue(), encoding="utf-8")
