"""The command as a process: pipes, signals, terminals and encodings."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from itertools import pairwise
from pathlib import Path

import pytest

from shardlint import __version__
from shardlint_cli.terminal import columns

DS = """\
{
  "größe 模型": 1, "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 4,
  "zero_optimization": {"stage": 2}
}
"""
COMMAND = (sys.executable, "-m", "shardlint_cli")
CHECK = (*COMMAND, "check", "--set", "world_size=8", "--select", "BAT001")
DECIDING = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "LANG", "LC_ALL", "PYTHONIOENCODING", "PYTHONUTF8")


def environment(**changes: str) -> dict[str, str]:
    """The environment of this run without what decides colour, width or encoding."""
    kept = {name: value for name, value in os.environ.items() if name not in DECIDING}
    paths = os.pathsep.join(path for path in sys.path if path)
    return {**kept, "PYTHONPATH": paths, "TERM": "xterm", **changes}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ds.json").write_text(DS, encoding="utf-8")
    return tmp_path


def piped(argv: tuple[str, ...], folder: Path, **changes: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(argv, cwd=folder, capture_output=True, env=environment(**changes), timeout=60)


def on_a_terminal(argv: tuple[str, ...], folder: Path, columns: int, **changes: str) -> str:
    """What a terminal of that width receives from the command."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    streams = {"stdin": follower, "stdout": follower, "stderr": follower}
    process = subprocess.Popen(argv, cwd=folder, env=environment(**changes), **streams)
    os.close(follower)
    received = b"".join(iter(lambda: _read(leader), b""))
    process.wait(timeout=30)
    os.close(leader)
    return received.decode("utf-8").replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    """The next part, nothing at the end (which Linux reports as EIO)."""
    assert select.select([terminal], [], [], 30)[0]
    try:
        return os.read(terminal, 65536)
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        return b""


def test_a_terminal_gets_colour_and_its_width(folder: Path) -> None:
    shown = on_a_terminal(CHECK, folder, 60)
    assert "\x1b[1;31merror\x1b[0m" in shown
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert max(len(line) for line in plain.splitlines() if not line.startswith("ds.json:")) <= 60


def test_a_terminal_without_colour(folder: Path) -> None:
    assert "\x1b" not in on_a_terminal(CHECK, folder, 80, NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(CHECK, folder, 80, TERM="dumb")


def test_a_pipe_gets_neither_colour_nor_wrapping(folder: Path) -> None:
    done = piped(CHECK, folder)
    assert b"\x1b" not in done.stdout
    assert b"x DP 8 = 128; DeepSpeed refuses to start\n" in done.stdout
    assert b"\x1b[" in piped(CHECK, folder, FORCE_COLOR="1").stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "utf-16"])
def test_any_encoding_of_the_terminal_will_do(folder: Path, encoding: str) -> None:
    done = piped(CHECK, folder, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (1, b"")
    line, carets = next(
        (line, after) for line, after in pairwise(done.stdout.decode(encoding).splitlines()) if "256," in line
    )
    assert ("größe" in line) == (encoding != "ascii")
    assert ("模型" in line) == encoding.startswith("utf")
    assert ("\\u6a21" in line) == (not encoding.startswith("utf"))
    assert columns(line[: line.index("256")]) == carets.index("^")


def test_the_c_locale(folder: Path) -> None:
    done = piped(CHECK, folder, LC_ALL="C")
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_closed_pipe_ends_the_run_silently(folder: Path) -> None:
    for number in range(200):
        (folder / f"ds{number}.json").write_text(DS, encoding="utf-8")
    read, write = os.pipe()
    process = subprocess.Popen(CHECK, cwd=folder, stdout=write, stderr=subprocess.PIPE, env=environment())
    os.close(write)
    os.close(read)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_one_line(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            CHECK, cwd=folder, stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=60
        )
    assert (done.returncode, done.stderr) == (2, b"shardlint: No space left on device\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_are_no_crash(folder: Path, closed: str) -> None:
    command = " ".join(f"'{word}'" for word in (*CHECK, "-" if closed == "<&-" else "ds.json"))
    done = piped(("bash", "-c", f"{command} {closed}"), folder)
    assert b"Traceback" not in done.stderr
    assert done.returncode == (0 if closed == "<&-" else 1)


def obey_interrupts() -> None:
    """A run in the background inherits that interrupts are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_is_one_line(folder: Path) -> None:
    process = subprocess.Popen(
        (*COMMAND, "check", "-"),
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=obey_interrupts,
    )
    assert process.stdin is not None
    process.stdin.write(b" " * 1_000_000)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"shardlint: interrupted\n")


def test_the_version(folder: Path) -> None:
    done = piped((*COMMAND, "--version"), folder)
    assert (done.returncode, done.stdout) == (0, f"shardlint {__version__}\n".encode())
