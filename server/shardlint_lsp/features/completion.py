"""Completion: keys and values that fit the place, settings, rules and files; explained when asked."""

from __future__ import annotations

from lsprotocol import types

from shardlint_lsp.caret.pragma_word import pragma_word
from shardlint_lsp.caret.spot import VALUE, Spot, spot_at
from shardlint_lsp.completion_items import documentation, items_at, items_in_comment
from shardlint_lsp.look import Look
from shardlint_lsp.proposals.files import MOST_ENTRIES
from shardlint_lsp.proposals.keys import key_proposals, names_file
from shardlint_lsp.proposals.pragmas import pragma_proposals
from shardlint_lsp.proposals.proposal import Topic
from shardlint_lsp.proposals.settings import setting_proposals
from shardlint_lsp.recognised import settings_table
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.vocabulary import dialect_of

TRIGGERS = ('"', ":", " ", "=", "[", "/")
"""Where a word begins, or a value: what editors complete at by themselves are letters only."""


def complete(look: Look, offset: int, trigger: str = "") -> list[types.CompletionItem]:
    """What can be written at an offset. A space typed asks for values alone, indenting a line does not; a
    quote typed asks where it opens a text, not where it closes one."""
    pragma = pragma_word(look.document, offset)
    if pragma is not None:
        typed = look.document.text[pragma.span.start : offset]
        return items_in_comment(look, pragma.span, pragma_proposals(look, pragma, typed))
    spot = spot_at(look.document, dialect_of(look), offset)
    if spot is None or (trigger == " " and spot.kind != VALUE) or (trigger == '"' and _is_closed(spot)):
        return []
    table = settings_table(look.document)
    proposals = setting_proposals(look, spot, table) if table is not None else key_proposals(look, spot)
    return items_at(look, spot, proposals)


def may_list_files(look: Look, offset: int) -> bool:
    """Whether what can be written on a line may be a file: a folder on a slow disk is read by the worker."""
    line = look.document.line_text(look.document.position(offset).line)
    return "shardlint" in line or names_file(line)


def _is_closed(spot: Spot) -> bool:
    typed = spot.word.typed
    return len(typed) > 1 and typed[0] == typed[-1] == '"'


def register(server: ShardlintServer) -> None:
    options = types.CompletionOptions(trigger_characters=[*TRIGGERS], resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    async def completed(  # pyright: ignore[reportUnusedFunction]
        params: types.CompletionParams,
    ) -> types.CompletionList | None:
        uri, trigger = params.text_document.uri, (params.context and params.context.trigger_character) or ""

        def answer(look: Look) -> list[types.CompletionItem]:
            return complete(look, look.positions.offset(params.position), trigger)

        drafted = server.draft(uri, params.position)
        if drafted is not None and not may_list_files(drafted, drafted.positions.offset(params.position)):
            items = answer(drafted)
        else:
            items = await server.ask(uri, answer)
        files = (types.CompletionItemKind.File, types.CompletionItemKind.Folder)
        cut = sum(item.kind in files for item in items or ()) >= MOST_ENTRIES
        return types.CompletionList(is_incomplete=cut, items=items) if items else None

    async def explained(uri: str, topic: Topic) -> types.MarkupContent | str | None:
        look = server.last_look(uri)
        if look is not None:
            return documentation(look, topic)
        return await server.ask(uri, lambda look: documentation(look, topic))

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    async def resolved(  # pyright: ignore[reportUnusedFunction]
        item: types.CompletionItem,
    ) -> types.CompletionItem:
        match item.data:
            case {"uri": str(uri), "topic": [str(kind), str(name)]}:
                item.documentation = await explained(uri, Topic(kind, name))
            case _:
                pass
        return item
