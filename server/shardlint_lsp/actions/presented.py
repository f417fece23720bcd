"""Actions as the editor takes them: with their edit, with data to ask for it later, or as commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from lsprotocol import types

from shardlint.syntax.tree import Span
from shardlint_lsp.actions.action import Action, Outcome
from shardlint_lsp.actions.offered import offered
from shardlint_lsp.actions.workspace_edit import shown, workspace_edit
from shardlint_lsp.client import Client
from shardlint_lsp.diagnostics import diagnostic
from shardlint_lsp.look import Look
from shardlint_lsp.texts import Texts

APPLY, REVEAL = "shardlint.applyFix", "shardlint.reveal"
"""Commands: an action applied by the server, a place shown."""


class Made(NamedTuple):
    """An action worked out: the edit, and where to look afterwards."""

    title: str
    edit: types.WorkspaceEdit
    shown: types.Location | None


def code_actions(
    look: Look, range: types.Range, only: Sequence[str] | None, texts: Texts
) -> list[types.CodeAction | types.Command]:
    """The actions at a range, as the editor takes them; one that comes to nothing is left out."""
    span = look.positions.span(range)
    presented = (_presented(look, action, span, texts) for action in offered(look, span, only))
    return [action for action in presented if action is not None]


def made(look: Look, data: object, texts: Texts) -> Made | None:
    """The action an editor chose, by the data it was offered with; None where there is no such any more."""
    start, end, name = _read(data)
    for action in offered(look, Span(start, end)):
        if action.name == name:
            outcome = action.make()
            return _made(look, action, outcome, texts) if outcome is not None else None
    return None


def _presented(
    look: Look, action: Action, span: Span, texts: Texts
) -> types.CodeAction | types.Command | None:
    data = {"uri": look.text.uri, "start": span.start, "end": span.end, "action": action.name}
    if not look.client.action_literals:
        return types.Command(action.title, APPLY, arguments=[data])
    presented = types.CodeAction(
        action.title,
        action.kind,
        [diagnostic(look, found, texts.uri) for found in action.findings] or None,
        is_preferred=True if action.preferred and look.client.action_preferred else None,
    )
    if _deferred(look.client, action):
        presented.data = data
        return presented
    if action.slow:
        presented.command = types.Command(action.title, APPLY, arguments=[data])
        return presented
    outcome = action.make()
    return completed(presented, _made(look, action, outcome, texts)) if outcome is not None else None


def _deferred(client: Client, action: Action) -> bool:
    """Whether the editor asks again for all that an action comes to."""
    later = {"edit", "command"} if action.shows and client.shows_documents else {"edit"}
    return client.action_data and later <= client.action_resolves


def _made(look: Look, action: Action, outcome: Outcome, texts: Texts) -> Made:
    where = shown(look, outcome, texts) if action.shows and look.client.shows_documents else None
    return Made(action.title, workspace_edit(look, outcome, texts), where)


def completed(action: types.CodeAction, made: Made) -> types.CodeAction:
    action.edit = made.edit
    if made.shown is not None:
        place = [made.shown.uri, *_numbers(made.shown.range)]
        action.command = types.Command(action.title, REVEAL, arguments=place)
    return action


def _numbers(range: types.Range) -> tuple[int, int, int, int]:
    """Arguments of a command are plain values."""
    return range.start.line, range.start.character, range.end.line, range.end.character


def _read(data: object) -> tuple[int, int, str]:
    """What an editor sends back; nothing fits what is no data of ours."""
    known = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    start, end, name = known.get("start"), known.get("end"), known.get("action")
    if isinstance(start, int) and isinstance(end, int) and isinstance(name, str):
        return start, end, name
    return 0, 0, ""
