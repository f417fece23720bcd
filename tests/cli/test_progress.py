from __future__ import annotations

import io
import sys

import pytest

from shardlint_cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still until its only item is changed."""
    monkeypatch.delenv("TERM", raising=False)
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    return now


def test_nobody_watches_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert progress.progress() is None


def test_a_short_run_shows_nothing(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    watch = progress.progress()
    assert watch is not None
    clock[0] = 0.6
    watch(100, 3)
    watch.close()
    assert terminal.getvalue() == ""


def test_a_long_run_counts_and_wipes_its_line(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    watch = progress.progress()
    assert watch is not None
    for seconds, looked in ((0.8, 1000), (0.81, 1001), (1.0, 1200)):
        clock[0] = seconds
        watch(looked, 7)
    watch.close()
    shown = terminal.getvalue()
    assert [part for part in shown.split("\r\x1b[K") if part] == [
        "1000 files, 7 configs",
        "1200 files, 7 configs",
    ]
    assert shown.endswith("\r\x1b[K")


def test_a_dumb_terminal_cannot_wipe_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert progress.progress() is None
