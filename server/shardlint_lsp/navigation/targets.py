"""Places that a definition or a reference leads to, and their positions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span
from shardlint_lsp.look import Look
from shardlint_lsp.texts import Texts

START = types.Range(types.Position(0, 0), types.Position(0, 0))


class Target(NamedTuple):
    """A place in a file; the start of the file where there is no `document` to say more."""

    path: Path
    document: Document | None = None
    span: Span = Span(0, 0)


class TargetRange(NamedTuple):
    """A target whose positions are known."""

    path: Path
    range: types.Range

    def at(self, texts: Texts) -> types.Location:
        return types.Location(texts.uri(self.path), self.range)


def ranges_of(look: Look, targets: Iterable[Target]) -> list[TargetRange]:
    """The targets with their positions, each once, in the order given."""
    return [
        TargetRange(path, START if document is None else look.positions_of(document).range(span))
        for path, document, span in dict.fromkeys(targets)
    ]
