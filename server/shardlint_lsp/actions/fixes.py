"""The fixes of a finding."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from shardlint.report import Finding, Fix, Notice
from shardlint.syntax.document import Document
from shardlint_lsp.actions.action import Action, Outcome
from shardlint_lsp.look import Look


def fixes(look: Look, found: Finding) -> Iterator[Action]:
    """Every fix as its rule words it; of the safe ones the first is preferred."""
    preferred = next((fix for fix in found.fixes if fix.safe and fix.edits), None)
    for fix in found.fixes:
        if fix.edits:
            yield Action(
                fix.title, partial(_outcome, look, found, fix), findings=(found,), preferred=fix is preferred
            )


def _outcome(look: Look, found: Finding, fix: Fix) -> Outcome | None:
    """None where a file the fix changes cannot be read any more."""
    documents = _documents(look, found, fix)
    return Outcome(fix.edits, documents) if documents is not None else None


def _documents(look: Look, found: Finding, fix: Fix) -> dict[str, Document] | None:
    """The texts the spans of a fix are spans of."""
    places = (found.place, *(other.place for other in found.related))
    known = {place.path: place.document for place in places if place.document is not None}
    documents: dict[str, Document] = {}
    for name in {edit.path for edit in fix.edits}:
        document = known.get(name) or look.root.workspace.read(look.path(name))
        if isinstance(document, Notice):
            return None
        documents[name] = document
    return documents
