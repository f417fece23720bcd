"""What is logged, sent to the editor's own log as `window/logMessage`."""

from __future__ import annotations

import logging

from lsprotocol import types

from shardlint_lsp.server import ShardlintServer

LEVELS = (
    (logging.ERROR, types.MessageType.Error),
    (logging.WARNING, types.MessageType.Warning),
    (logging.INFO, types.MessageType.Info),
    (logging.NOTSET, types.MessageType.Log),
)


class ClientHandler(logging.Handler):
    """Records of any thread, sent from the loop once there is an editor to send them to."""

    def __init__(self, server: ShardlintServer) -> None:
        super().__init__(logging.INFO)
        self._server = server

    def emit(self, record: logging.LogRecord) -> None:
        loop = self._server.loop
        if loop is None or loop.is_closed():
            return
        kind = next(kind for level, kind in LEVELS if record.levelno >= level)
        message = types.LogMessageParams(kind, record.getMessage())
        try:
            loop.call_soon_threadsafe(self._server.window_log_message, message)
        except RuntimeError:
            return


def to_client(server: ShardlintServer) -> None:
    """Send our own records to the editor; those of the protocol library stay on standard error."""
    ours = logging.getLogger("shardlint")
    ours.setLevel(logging.INFO)
    ours.handlers = [ClientHandler(server)]
    ours.propagate = False
