"""The way out: bytes to the editor."""

from __future__ import annotations

from collections.abc import Callable


class Writer:
    """Bytes to the editor; one that does not take them is gone."""

    def __init__(self, write: Callable[[bytes], object], gone: Callable[[], None]) -> None:
        self._write = write
        self._gone = gone

    def write(self, data: bytes) -> None:
        try:
            self._write(data)
        except (OSError, ValueError):
            self._gone()

    def close(self) -> None:
        """The stream is closed by who opened it."""
