"""Inlay hints: what a value comes to, beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lsprotocol import types

from shardlint.syntax.tree import Span
from shardlint_lsp.hints.autos import auto_hints
from shardlint_lsp.hints.batch import batch_hints
from shardlint_lsp.hints.buckets import bucket_hints
from shardlint_lsp.hints.hint import LONGEST, Hint
from shardlint_lsp.hints.states import state_hints
from shardlint_lsp.look import Look
from shardlint_lsp.markup_content import markup
from shardlint_lsp.server import ShardlintServer

KINDS: dict[str, Callable[[Look], Iterator[Hint]]] = {
    "stage": state_hints,
    "batch": batch_hints,
    "buckets": bucket_hints,
    "auto": auto_hints,
}
"""By the names of `Preferences.hints`."""


def hints(look: Look, span: Span) -> list[Hint]:
    """The hints that are switched on and stand in a span, in the order of their places; one a place, and
    none that is too long: a value may be anything."""
    wanted = (kind for name, kind in KINDS.items() if name in look.preferences.hints)
    found: dict[int, Hint] = {}
    for hint in (hint for kind in wanted for hint in kind(look)):
        if span.start <= hint.at <= span.end and len(hint.text) <= LONGEST:
            found.setdefault(hint.at, hint)
    return [found[at] for at in sorted(found)]


def register(server: ShardlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=True))
    async def inlay_hints(  # pyright: ignore[reportUnusedFunction]
        params: types.InlayHintParams,
    ) -> list[types.InlayHint] | None:
        uri = params.text_document.uri

        def answer(look: Look) -> list[types.InlayHint]:
            return [shown(look, hint, uri) for hint in hints(look, look.positions.span(params.range))]

        return await server.ask(uri, answer)

    @server.feature(types.INLAY_HINT_RESOLVE)
    async def resolve(hint: types.InlayHint) -> types.InlayHint:  # pyright: ignore[reportUnusedFunction]
        if hint.tooltip is None and isinstance(hint.data, str):
            hint.tooltip = await server.ask(hint.data, lambda look: resolved(look, hint))
        return hint


def shown(look: Look, hint: Hint, uri: str) -> types.InlayHint:
    """With its tooltip, or with what finds it again for a client that asks for tooltips one by one."""
    later = "tooltip" in look.client.hint_resolves
    return types.InlayHint(
        position=look.positions.position(hint.at),
        label=hint.text,
        tooltip=None if later else _tooltip(look, hint),
        padding_left=True,
        data=uri if later else None,
    )


def resolved(look: Look, wanted: types.InlayHint) -> types.MarkupContent | None:
    at = look.positions.offset(wanted.position)
    found = (hint for hint in hints(look, Span(at, at)) if hint.text == wanted.label)
    return next((_tooltip(look, hint) for hint in found), None)


def _tooltip(look: Look, hint: Hint) -> types.MarkupContent:
    """In Markdown where hovers are: no capability speaks of the tooltips of hints."""
    kinds = types.MarkupKind
    return markup(hint.why, kinds.Markdown if look.client.hover_markdown else kinds.PlainText)
