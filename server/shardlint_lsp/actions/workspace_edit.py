"""The outcome of an action as an edit of the editor's texts and files."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from shardlint_lsp.actions.action import Outcome
from shardlint_lsp.look import Look
from shardlint_lsp.positions import Positions
from shardlint_lsp.texts import Texts


def workspace_edit(look: Look, outcome: Outcome, texts: Texts) -> types.WorkspaceEdit:
    """As the editor takes it: with versions and new files where it knows these. `texts` are those open when
    the look was asked for."""
    edits = {name: [*_edits(look, outcome, name)] for name in outcome.documents}
    uris = {name: texts.uri(look.path(name)) for name in edits}
    if not look.client.document_changes:
        return types.WorkspaceEdit(changes={uris[name]: each for name, each in edits.items()})
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for name, each in edits.items():
        if look.client.creates_files and not look.root.workspace.exists(look.path(name)):
            quietly = types.CreateFileOptions(ignore_if_exists=True)
            changes.append(types.CreateFile(uris[name], options=quietly))
        of = types.OptionalVersionedTextDocumentIdentifier(uris[name], _version(look, name, texts))
        changes.append(types.TextDocumentEdit(of, each))
    return types.WorkspaceEdit(document_changes=changes)


def shown(look: Look, outcome: Outcome, texts: Texts) -> types.Location | None:
    """Where the editor finds what the outcome shows, once its edits are made."""
    place = outcome.shown
    if place is None or place.document is None:
        return None
    lead = look.text.lead if place.path == look.name else 0
    positions = Positions(place.document, look.client.encoding, lead)
    return types.Location(texts.uri(look.path(place.path)), positions.range(place.span))


def _edits(look: Look, outcome: Outcome, name: str) -> Iterator[types.TextEdit]:
    positions = look.positions_of(outcome.documents[name])
    own = sorted((edit for edit in outcome.edits if edit.path == name), key=lambda edit: edit.span)
    yield from (types.TextEdit(positions.range(edit.span), edit.text) for edit in own)


def _version(look: Look, name: str, texts: Texts) -> int | None:
    if name == look.name:
        return look.text.version
    text = texts.at(look.path(name))
    return text.version if text is not None else None
