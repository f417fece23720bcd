"""The protocol as pygls speaks it, with texts kept by us and not twice."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, cast

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method


class Protocol(LanguageServerProtocol):
    """pygls splits lines at more characters than the protocol does, so its own texts are left unused."""

    def _own(self, method: str, params: Any) -> Generator[Any, Any, None]:
        features = cast("dict[str, Any]", self.fm.features)  # pyright: ignore[reportUnknownMemberType]
        handler = features.get(method)
        if handler is not None:
            yield handler, (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(
        self, params: types.DidOpenTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield from self._own(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: types.DidChangeTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield from self._own(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(
        self, params: types.DidCloseTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield from self._own(types.TEXT_DOCUMENT_DID_CLOSE, params)
