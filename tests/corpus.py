"""The folder of real configs some tests read: named by SHARDLINT_CORPUS, else beside the repository."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest


class Row(NamedTuple):
    """A file of the corpus, relative to its root, and the kind of file it is said to be."""

    path: str
    label: str


@cache
def corpus_root() -> Path | None:
    """The folder that holds MANIFEST.tsv, or None."""
    named = os.environ.get("SHARDLINT_CORPUS")
    root = Path(named) if named else Path(__file__).parents[2] / "shared" / "corpus"
    return root if (root / "MANIFEST.tsv").is_file() else None


requires_corpus = pytest.mark.skipif(
    corpus_root() is None, reason="no corpus: set SHARDLINT_CORPUS to its folder"
)


@cache
def manifest() -> list[Row]:
    """Every file of the corpus with its label; empty where there is no corpus."""
    root = corpus_root()
    if root is None:
        return []
    lines = (root / "MANIFEST.tsv").read_text(encoding="utf-8").splitlines()
    header = lines[0].split("\t")
    path, label = header.index("local_path"), header.index("format")
    return [Row(cells[path], cells[label]) for cells in (line.split("\t") for line in lines[1:])]


def corpus_bytes(path: str) -> bytes:
    """The content of a file of the corpus."""
    root = corpus_root()
    assert root is not None
    return (root / path).read_bytes()
