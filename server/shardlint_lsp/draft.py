"""What is known of an open text before it was checked as it is now: the text itself, and the last look."""

from __future__ import annotations

from functools import cached_property

from lsprotocol import types

from shardlint.compose.job import Job
from shardlint.formats.reading import Reading
from shardlint.syntax.document import Document
from shardlint.syntax.parse import parse
from shardlint.syntax.view import View
from shardlint_lsp.caret.difference import difference
from shardlint_lsp.caret.excerpt import Excerpt, excerpt
from shardlint_lsp.look import Look
from shardlint_lsp.positions import MARK, Positions
from shardlint_lsp.texts import OpenText

MOST_TYPED = 200
"""Characters typed, deleted or pasted since the last look that leave a file of the kind it was."""
LONGEST, MOST_LEFT = 1_000_000, 4_000
"""Characters of a text, and of an excerpt of it, that are read in a few milliseconds."""


class Outline(Positions):
    """The positions in a whole text of what stands in an excerpt of it."""

    def __init__(self, whole: Document, part: Excerpt, encoding: str, lead: int) -> None:
        super().__init__(whole, encoding, lead)
        self._part = part

    def position(self, offset: int) -> types.Position:
        return super().position(self._part.outer(offset))

    def offset(self, position: types.Position) -> int:
        return self._part.inner(super().offset(position))


class Draft(Look):
    """A text as it is now, around one place. The jobs it takes part in, the way it is read and what was found
    in it are those of the last look; `positions` are those of the whole text."""

    def __init__(self, look: Look, text: OpenText, document: Document, outline: Outline) -> None:
        super().__init__(
            text, look.revision, look.root, look.analysis, document, look.client, look.preferences
        )
        self._before = look
        self._outline = outline

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        return self._before.jobs

    @cached_property
    def reading(self) -> Reading | None:
        """How the file was read; it states nothing."""
        known = self._before.reading
        if known is None:
            return None
        view = View(self.document, known.view.dialect, known.view.index)
        return Reading(self.document, known.format, view)

    @property
    def positions(self) -> Positions:
        return self._outline


def draft(look: Look, text: OpenText, position: types.Position) -> Look | None:
    """A text around a position, in a few milliseconds; None where that is too long for it, or where it was
    no config before, or another one than it is now."""
    now = text.text.removeprefix(MARK)
    if look.reading is None or len(now) > LONGEST:
        return None
    changed = difference(look.document.text, now)
    if changed.size > min(MOST_TYPED, len(now) // 2):
        return None
    whole = Document(look.name, now, look.document.language)
    offset = Positions(whole, look.client.encoding, text.lead).offset(position)
    part = excerpt(look.document, now, changed, offset)
    if len(part.text) > MOST_LEFT:
        return None
    if part.text == now == look.document.text:
        return look
    outline = Outline(whole, part, look.client.encoding, text.lead)
    return Draft(look, text, parse(part.text, look.name, look.document.language), outline)
