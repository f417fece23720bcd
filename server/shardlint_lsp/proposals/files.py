"""Files a value can name: those of its own folder, or of the folder typed so far."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from lsprotocol.types import CompletionItemKind as Kind

from shardlint.schema.snippets import escaped, value_text
from shardlint.workspace import CONFIG_SUFFIXES
from shardlint_lsp.look import Look
from shardlint_lsp.proposals.proposal import Proposal

MOST_ENTRIES = 200


class Wanted(NamedTuple):
    """Which files are meant: by the end of their name, or by a word in it."""

    suffixes: tuple[str, ...] = ()
    word: str = ""

    def takes(self, name: str) -> bool:
        lowered = name.lower()
        return lowered.endswith(self.suffixes) if self.suffixes else self.word in lowered


CONFIGS, HOSTFILES = Wanted(CONFIG_SUFFIXES), Wanted(word="hostfile")


def files(look: Look, typed: str, wanted: Wanted, style: str) -> list[Proposal]:
    """Folders and files of that kind below the folder typed so far, from the text's own folder or else from
    the root of the workspace; the text itself is left out."""
    folder = typed.lstrip("\"'").rpartition("/")[0]
    own = look.path(look.name)
    for base in dict.fromkeys((own.parent, look.root.folder)):
        found = _listed(base / folder if folder else base, own, wanted)
        if found:
            return [_proposal(f"{folder}/{name}" if folder else name, style) for name in found]
    return []


def _listed(folder: Path, own: Path, wanted: Wanted) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            kept = [
                f"{entry.name}/" if entry.is_dir() else entry.name
                for entry in entries
                if not entry.name.startswith(".")
                and entry.name != "__pycache__"
                and (entry.is_dir() or (wanted.takes(entry.name) and Path(entry.path) != own))
            ]
    except (OSError, ValueError):
        return []
    return sorted(kept, key=lambda name: (name.endswith("/"), name))[:MOST_ENTRIES]


def _proposal(path: str, style: str) -> Proposal:
    kind = Kind.Folder if path.endswith("/") else Kind.File
    text = path if style == "pragma" else value_text(path, style)
    return Proposal(path, kind, escaped(text))
