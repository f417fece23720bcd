"""What is known of an open text before it was checked as it is now: the text itself, and the last look."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from lsprotocol import types

from shardlint.compose.job import Job
from shardlint.formats.reading import Reading
from shardlint.report import Finding
from shardlint.syntax.document import Document
from shardlint.syntax.parse import parse
from shardlint.syntax.view import View
from shardlint_lsp.caret.difference import Difference, difference
from shardlint_lsp.caret.excerpt import Excerpt, excerpt
from shardlint_lsp.look import Look
from shardlint_lsp.positions import MARK, Positions
from shardlint_lsp.texts import OpenText

MOST_TYPED = 200
"""Characters typed, deleted or pasted since the last look that leave a file of the kind it was."""
LONGEST, MOST_LEFT, MOST_FAULTY = 1_000_000, 4_000, 2_500
"""Characters of a text, of an excerpt of it, and of a faulty one, that are read in a few milliseconds."""
WORD = "shardlint"
"""What comments that state facts begin with."""


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
    """A text as it is now, around one place, made on the loop. The jobs it takes part in and the way it is
    read are those of the last look; `positions` are those of the whole text."""

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

    def positions_of(self, document: Document) -> Positions:
        return self._outline if document is self.document else super().positions_of(document)

    def findings(self, name: str) -> Iterator[Finding]:
        """None: the text was not checked yet."""
        return iter(())


def draft(look: Look, text: OpenText, position: types.Position) -> Look | None:
    """A text around a position, in a few milliseconds; None where that is too long for it, or where it was
    no config before, or another one than it is now."""
    now = text.text.removeprefix(MARK)
    if look.reading is None or len(now) > LONGEST:
        return None
    before = look.document.text
    changed = difference(before, now)
    if changed.size > min(MOST_TYPED, len(now) // 2) or _tells(before, now, changed):
        return None
    whole = Document(look.name, now, look.document.language)
    offset = Positions(whole, look.client.encoding, text.lead).offset(position)
    part = excerpt(look.document, now, changed, offset)
    if len(part.text) > MOST_LEFT:
        return None
    if part.text == now == before and text.lead == look.text.lead:
        return look
    document = parse(part.text, look.name, look.document.language)
    if document.faults and len(part.text) > MOST_FAULTY:
        return None
    return Draft(look, text, document, Outline(whole, part, look.client.encoding, text.lead))


def _tells(before: str, now: str, changed: Difference) -> bool:
    """Whether a line that was changed tells shardlint something."""
    if not changed.size:
        return False
    ends = ((before, changed.old_end), (now, changed.new_end))
    return any(WORD in _lines(text, changed.start, end) for text, end in ends)


def _lines(text: str, start: int, end: int) -> str:
    """The whole lines of a stretch."""
    below = text.find("\n", end)
    return text[text.rfind("\n", 0, start) + 1 : below if below >= 0 else len(text)]
