"""The other way round: who names this file, which aliases use this anchor, which keys this one fills."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from shardlint.syntax.tree import Scalar
from shardlint.syntax.view import View
from shardlint_lsp.look import Look
from shardlint_lsp.navigation.anchors import anchor_at
from shardlint_lsp.navigation.joins import joins, stands_on
from shardlint_lsp.navigation.mentions import mentions, mentions_of
from shardlint_lsp.navigation.targets import Target, TargetRange, ranges_of
from shardlint_lsp.recognised import recognised_view
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.tree import descend, holds


def references(look: Look, offset: int, declaration: bool = False) -> list[Target]:
    """The places that refer to what stands at an offset, with its declaration where asked for.

    On an alias or its anchor: the aliases. On a path: all places that name the same file. On a key that
    fills others: those. Anywhere else but on a value: the places that name the open file.
    """
    own, view = look.path(look.name), recognised_view(look)
    anchor = anchor_at(view.document, offset) if view is not None else None
    if view is not None and anchor is not None:
        spans = [anchor.span, *anchor.aliases] if declaration else anchor.aliases
        return [Target(own, view.document, span) for span in spans]
    named = next((mention for mention in mentions(look) if holds(mention.span, offset)), None)
    if named is not None:
        return _naming(look, named.path, declaration)
    filled = list(_filled(look, offset, declaration))
    if filled or view is None:
        return filled
    return [] if _on_value(view, offset) else _naming(look, own, declaration)


def _naming(look: Look, path: Path, declaration: bool) -> list[Target]:
    """The places that name a file; its declaration is its start."""
    found = [Target(look.path(m.document.name), m.document, m.span) for m in mentions_of(look, path)]
    return [Target(path), *found] if declaration else found


def _filled(look: Look, offset: int, declaration: bool) -> Iterator[Target]:
    for job in look.jobs:
        for join in joins(job):
            if stands_on(join.source, look.name, offset):
                entries = (join.source, join.filled) if declaration else (join.filled,)
                for entry in entries:
                    document = entry.view.document
                    yield Target(look.path(document.name), document, entry.key_span)


def _on_value(view: View, offset: int) -> bool:
    return any(
        isinstance(node, Scalar) and node.span.start < node.span.end and holds(node.span, offset)
        for _, node in descend(view.document.roots, offset)
    )


def _answer(look: Look, params: types.ReferenceParams) -> list[TargetRange]:
    offset = look.positions.offset(params.position)
    return ranges_of(look, references(look, offset, params.context.include_declaration))


def register(server: ShardlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def refer(  # pyright: ignore[reportUnusedFunction]
        params: types.ReferenceParams,
    ) -> list[types.Location] | None:
        found = await server.ask(params.text_document.uri, lambda look: _answer(look, params))
        return [target.at(server.texts) for target in found] if found else None
