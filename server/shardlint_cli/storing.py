"""Write a changed text back over the file it was read from."""

from __future__ import annotations

import os
from pathlib import Path

from shardlint.engine.fixing import Change
from shardlint.report import Notice

BOM = b"\xef\xbb\xbf"


def store(change: Change, root: Path) -> Notice | None:
    """Replace the file in one step, keeping its mode, BOM and line ends; a notice where that cannot be.

    A file whose bytes are no longer those the text was read from is left alone.
    """
    path = Path(os.path.realpath(root / change.path))
    try:
        present = path.read_bytes()
        mark = BOM if present.startswith(BOM) and not change.before.startswith("\ufeff") else b""
        if present != mark + change.before.encode("utf-8", "surrogateescape"):
            return Notice(change.path, "not fixed: the file is not the UTF-8 text that was linted")
        _replace(path, mark + change.after.encode("utf-8", "surrogateescape"))
    except OSError as error:
        return Notice(change.path, f"not fixed: {error.strerror or error}")
    return None


def _replace(path: Path, data: bytes) -> None:
    """Write beside the file, then rename over it: a reader never sees half a text."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(data)
        beside.chmod(path.stat().st_mode)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
