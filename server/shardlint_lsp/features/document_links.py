"""Paths in configs and settings files open what they name."""

from __future__ import annotations

from typing import NamedTuple

from lsprotocol import types

from shardlint_lsp.look import Look
from shardlint_lsp.navigation.mentions import Mention, mentions
from shardlint_lsp.server import ShardlintServer


class _Link(NamedTuple):
    mention: Mention
    range: types.Range
    tooltip: str | None


def tooltip(look: Look, mention: Mention) -> str:
    """What a link says: the path it leads to, as findings call it."""
    return f"Open {look.root.workspace.display(mention.path)}"


def _links(look: Look) -> list[_Link]:
    shown = look.client.link_tooltips
    return [
        _Link(mention, look.positions.range(mention.span), tooltip(look, mention) if shown else None)
        for mention in mentions(look)
    ]


def register(server: ShardlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkOptions(resolve_provider=False))
    async def document_links(  # pyright: ignore[reportUnusedFunction]
        params: types.DocumentLinkParams,
    ) -> list[types.DocumentLink]:
        found = await server.ask(params.text_document.uri, _links)
        return [
            types.DocumentLink(link.range, server.texts.uri(link.mention.path), link.tooltip)
            for link in found or ()
        ]
