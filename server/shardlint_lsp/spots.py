"""Places in files as the protocol sends them."""

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


class Spot(NamedTuple):
    """A place in a file; the start of the file where there is no `document` to say more."""

    path: Path
    document: Document | None = None
    span: Span = Span(0, 0)


class Located(NamedTuple):
    """A spot whose positions are known."""

    path: Path
    range: types.Range

    def at(self, texts: Texts) -> types.Location:
        return types.Location(texts.uri(self.path), self.range)


def located(look: Look, spots: Iterable[Spot]) -> list[Located]:
    """The spots with their positions, each once, in the order given."""
    return [
        Located(path, START if document is None else look.positions_of(document).range(span))
        for path, document, span in dict.fromkeys(spots)
    ]
