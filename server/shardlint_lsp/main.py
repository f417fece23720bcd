"""`shardlint lsp`: serve one editor over standard input and output, or a port of this machine."""

from __future__ import annotations

import logging
import sys

from shardlint.collect import import_modules
from shardlint_lsp import features
from shardlint_lsp.connection.logs import to_client
from shardlint_lsp.connection.parent import exit_with
from shardlint_lsp.connection.transport import serve_pipes, serve_port
from shardlint_lsp.server import ShardlintServer

SWITCH = 0.001
"""Seconds after which a thread that computes lets another one go on: an answer does not wait for a check."""


def server() -> ShardlintServer:
    """A server with every feature of this package."""
    made = ShardlintServer()
    for module in import_modules(features.__name__):
        module.register(made)
    to_client(made)
    return made


def serve(port: int | None = None) -> int:
    """Serve until the editor says exit or is gone; the exit code, 0 where it had said shutdown before."""
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR, format="%(name)s: %(message)s")
    made = server()
    exit_with(made)
    sys.setswitchinterval(SWITCH)
    return serve_pipes(made) if port is None else serve_port(made, port)
