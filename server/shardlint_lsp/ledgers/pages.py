"""Documents written into files, for an editor that opens files only."""

from __future__ import annotations

import tempfile
from hashlib import blake2b
from pathlib import Path

LONGEST_NAME = 80
"""Characters of the document's own name that are kept."""


class Pages:
    """Documents written for the editor to open; they are deleted when the server ends."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def write(self, uri: str, page: str) -> Path:
        """One file a document, written anew each time."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="shardlint-")
        name = "".join(char if char.isalnum() or char in ".-" else "_" for char in uri.rpartition("/")[2])
        which = blake2b(uri.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
        path = Path(self._folder.name) / f"ledger-{name[-LONGEST_NAME:]}-{which}.md"
        path.write_text(page, encoding="utf-8")
        return path
