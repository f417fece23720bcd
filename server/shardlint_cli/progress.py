"""A counter on stderr for runs that take long enough to wonder."""

from __future__ import annotations

import os
import sys
from time import monotonic

PATIENCE = 0.7
"""Seconds before anything is shown."""
INTERVAL = 0.1


class Progress:
    """Called with the number of files looked at and of configs among them; wipes its line at the end."""

    def __init__(self) -> None:
        self._next = monotonic() + PATIENCE
        self._shown = False

    def __call__(self, looked: int, configs: int) -> None:
        now = monotonic()
        if now < self._next:
            return
        self._next = now + INTERVAL
        self._shown = True
        sys.stderr.write(f"\r\x1b[K{looked} files, {configs} configs")
        sys.stderr.flush()

    def close(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False


def progress() -> Progress | None:
    """A counter, or None where nobody watches."""
    wipes = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return Progress() if wipes else None
