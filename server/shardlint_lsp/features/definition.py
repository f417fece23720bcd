"""From a path to its file, from an alias to its anchor, from a filled key to the key it is filled from."""

from __future__ import annotations

from typing import NamedTuple

from lsprotocol import types

from shardlint.syntax.tree import Span
from shardlint_lsp.look import Look
from shardlint_lsp.navigation.anchors import anchor_at
from shardlint_lsp.navigation.joins import joins, stands_on
from shardlint_lsp.navigation.mentions import mentions
from shardlint_lsp.navigation.targets import Target, TargetRange, ranges_of
from shardlint_lsp.recognised import recognised_view
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.tree import holds


class Definition(NamedTuple):
    """What is defined elsewhere, and where."""

    origin: Span
    targets: tuple[Target, ...]


def definition(look: Look, offset: int) -> Definition | None:
    """What stands at an offset is defined there; None where it is defined by itself."""
    view = recognised_view(look)
    if view is not None:
        anchor = anchor_at(view.document, offset)
        alias = next((span for span in anchor.aliases if holds(span, offset)), None) if anchor else None
        if anchor is not None and alias is not None:
            return Definition(alias, (Target(look.path(look.name), view.document, anchor.span),))
    for mention in mentions(look):
        if holds(mention.span, offset):
            return Definition(mention.span, (Target(mention.path),))
    return _joined(look, offset)


def _joined(look: Look, offset: int) -> Definition | None:
    found = [join for job in look.jobs for join in joins(job) if stands_on(join.filled, look.name, offset)]
    if not found:
        return None
    filled = found[0].filled
    origin = filled.key_span if holds(filled.key_span, offset) else filled.value_span
    sources = [join.source for join in found]
    targets = [Target(look.path(s.view.document.name), s.view.document, s.key_span) for s in sources]
    return Definition(origin, tuple(targets))


def _answer(look: Look, position: types.Position) -> tuple[types.Range, list[TargetRange]] | None:
    found = definition(look, look.positions.offset(position))
    return (look.positions.range(found.origin), ranges_of(look, found.targets)) if found else None


def register(server: ShardlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def define(  # pyright: ignore[reportUnusedFunction]
        params: types.DefinitionParams,
    ) -> list[types.Location] | list[types.LocationLink] | None:
        found = await server.ask(params.text_document.uri, lambda look: _answer(look, params.position))
        if found is None:
            return None
        origin, targets = found
        if not server.client.definition_links:
            return [target.at(server.texts) for target in targets]
        return [types.LocationLink(server.texts.uri(path), range, range, origin) for path, range in targets]
