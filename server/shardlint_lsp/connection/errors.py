"""Errors of the protocol that pygls has not: why a request has no answer now."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException


class ServerCancelled(JsonRpcException):
    """There is no answer now; `retrigger` says whether the editor is to ask again."""

    CODE = types.LSPErrorCodes.ServerCancelled.value

    def __init__(self, why: str, retrigger: bool) -> None:
        super().__init__(why, data={"retriggerRequest": retrigger})


class ContentModified(JsonRpcException):
    """The text changed while the answer was worked out; the editor asks again by itself."""

    CODE = types.LSPErrorCodes.ContentModified.value
    MESSAGE = "the text changed meanwhile"
