"""An action on offer, and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from lsprotocol import types

from shardlint.report import Edit, Finding, Place
from shardlint.syntax.document import Document


class Outcome(NamedTuple):
    """Edits, the documents they are edits of, by name, and what to show once they are made: a place in the
    text after them."""

    edits: tuple[Edit, ...]
    documents: Mapping[str, Document]
    shown: Place | None = None


class Action(NamedTuple):
    """`make` works out the outcome; None where there is nothing to change after all.

    `findings` are what the action puts right. `shows` is true where there will be something to show, `slow`
    where the outcome takes several looks at the file.
    """

    title: str
    make: Callable[[], Outcome | None]
    kind: str = types.CodeActionKind.QuickFix.value
    findings: tuple[Finding, ...] = ()
    preferred: bool = False
    shows: bool = False
    slow: bool = False

    @property
    def name(self) -> str:
        """What tells an action from the others of its file."""
        places = (f"{found.rule}@{found.place.span.start}" for found in self.findings)
        return f"{self.kind}: {self.title} ({', '.join(places)})"
