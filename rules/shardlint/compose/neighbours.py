"""Whether files beside or above a DeepSpeed file show that the Trainer reads it.

Looked at by their text alone: it is an assumption either way, and a parse would cost more than it tells.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from shardlint.compose.nearby import HEAD, files, folders
from shardlint.compose.shelf import Shelf
from shardlint.formats.reading import Reading
from shardlint.plan import ASSUMED, Fact

_TRAINER = r"\b(?:per_device_train_batch_size|num_train_epochs|lr_scheduler_type)\b"
_LAUNCHER = r"distributed_type\b[\"']?\s*:\s*[\"']?DEEPSPEED\b"
_REFERENCE = r"\bdeepspeed(?:_config|_config_file)?[\"']?[ \t]*:[ \t]*[\"']?(?P<target>[^\s\"',}]+)"


class Clue(NamedTuple):
    """A Trainer or accelerate file: its path as shown, what it is, and the DeepSpeed files it names."""

    path: str
    kind: str
    names: frozenset[str]


def consumer_near(reading: Reading, shelf: Shelf) -> Fact[str] | None:
    """The Trainer, assumed, where a file of the folder or above it says so; one that names the file first."""
    path = shelf.path_of(reading)
    clues = [clue for folder in folders(path, shelf.workspace) for clue in _clues(folder, shelf)]
    naming = next((clue for clue in clues if path.name in clue.names), None)
    if naming is not None:
        return Fact("hf-trainer", f"{naming.path} names it", ASSUMED)
    other = next((clue for clue in clues if clue.path != reading.name), None)
    return Fact("hf-trainer", f"{other.path} beside or above it is {other.kind}", ASSUMED) if other else None


def _clues(folder: Path, shelf: Shelf) -> tuple[Clue, ...]:
    known = shelf.clues.get(folder)
    if known is None:
        known = shelf.clues[folder] = tuple(
            clue for path in files(folder) if (clue := _clue(path, shelf)) is not None
        )
    return known


def _clue(path: Path, shelf: Shelf) -> Clue | None:
    head = shelf.workspace.head(path, HEAD) or ""
    launcher = re.search(_LAUNCHER, head)
    if launcher is None and re.search(_TRAINER, head) is None:
        return None
    targets = (found.group("target") for found in re.finditer(_REFERENCE, head))
    names = frozenset(target.replace("\\", "/").rpartition("/")[2] for target in targets)
    kind = "an accelerate file for DeepSpeed" if launcher else "a file of training arguments"
    return Clue(shelf.workspace.display(path), kind, names)
