"""Code actions: fixes, facts to tell and rules to ignore, worked out again from what is known of the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from lsprotocol import types

from shardlint_lsp.actions.fix_all import KIND as FIX_ALL
from shardlint_lsp.actions.offered import QUICK_FIX
from shardlint_lsp.actions.presented import APPLY, REVEAL, Made, code_actions, completed, made
from shardlint_lsp.server import ShardlintServer

STALE = "The text has changed since this action was offered; ask for it again"


def register(server: ShardlintServer) -> None:
    options = types.CodeActionOptions(code_action_kinds=[QUICK_FIX, FIX_ALL], resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def offer(  # pyright: ignore[reportUnusedFunction]
        params: types.CodeActionParams,
    ) -> list[types.CodeAction | types.Command] | None:
        texts, only = server.texts.copy(), params.context.only
        wanted = None if only is None else [str(getattr(kind, "value", kind)) for kind in only]
        return await server.ask(
            params.text_document.uri, lambda look: code_actions(look, params.range, wanted, texts)
        )

    async def chosen(data: object) -> Made | None:
        """What an action comes to now: the texts may have changed since it was offered."""
        texts = server.texts.copy()
        return await server.ask(_uri(data), lambda look: made(look, data, texts))

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:  # pyright: ignore[reportUnusedFunction]
        found = await chosen(action.data)
        return action if found is None else completed(action, found)

    @server.command(APPLY)
    async def apply(*arguments: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        found = await chosen(arguments[0] if arguments else None)
        if found is None:
            message = types.ShowMessageParams(types.MessageType.Info, STALE)
            server.window_show_message(message)
            return
        asked = types.ApplyWorkspaceEditParams(found.edit, found.title)
        answer = await server.workspace_apply_edit_async(asked)
        if answer.applied and found.shown is not None:
            await server.window_show_document_async(_look_at(found.shown))

    @server.command(REVEAL)
    async def reveal(*arguments: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        where = _location(arguments)
        if where is not None and server.client.shows_documents:
            await server.window_show_document_async(_look_at(where))


def _look_at(where: types.Location) -> types.ShowDocumentParams:
    return types.ShowDocumentParams(where.uri, take_focus=True, selection=where.range)


def _uri(data: object) -> str:
    uri = cast("dict[str, object]", data).get("uri") if isinstance(data, dict) else None
    return uri if isinstance(uri, str) else ""


def _location(arguments: Sequence[object]) -> types.Location | None:
    """A URI and four numbers, as `shardlint.reveal` is called; None for anything else."""
    uri, *numbers = arguments or ("",)
    places = [number for number in numbers if isinstance(number, int) and number >= 0]
    if not isinstance(uri, str) or len(places) != 4 or len(numbers) != 4:
        return None
    return types.Location(uri, types.Range(types.Position(*places[:2]), types.Position(*places[2:])))
