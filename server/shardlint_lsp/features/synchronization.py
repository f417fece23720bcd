"""Texts opened, changed and closed."""

from __future__ import annotations

from lsprotocol import types

from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.texts import OpenText
from shardlint_lsp.watching import speaks_to_a_folder


def register(server: ShardlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:  # pyright: ignore[reportUnusedFunction]
        text = server.texts.open(params.text_document, server.roots.home)
        server.changed()
        server.publisher.touch(text)
        _spread(server, text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:  # pyright: ignore[reportUnusedFunction]
        text = server.texts.change(params, server.client.encoding)
        if text is not None:
            server.changed(text)
            server.publisher.touch(text)
            _spread(server, text)
            server.background.edited(text.path)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:  # pyright: ignore[reportUnusedFunction]
        """A look at it may read other files, which may have been saved with it."""
        server.changed()
        server.publisher.touch_all()
        server.background.saved(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:  # pyright: ignore[reportUnusedFunction]
        text = server.texts.close(params.text_document.uri)
        if text is not None:
            server.changed()
            server.publisher.closed(text)
            _spread(server, text)
            server.background.edited(text.path)


def _spread(server: ShardlintServer, text: OpenText) -> None:
    """Settings speak to texts that name them nowhere: all are looked at again."""
    if speaks_to_a_folder(text.path):
        server.publisher.touch_all()
        server.refresher.everything_soon()
