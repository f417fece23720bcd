"""One editor on standard input and output or on a port: a thread reads, the loop does the rest."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial

from shardlint_lsp.connection.framing import Read, messages
from shardlint_lsp.server import ShardlintServer

HOST = "127.0.0.1"
Write = Callable[[bytes], object]


def serve_pipes(server: ShardlintServer) -> int:
    """Serve over standard input and output, which from now on nothing else writes to: what is printed goes
    to standard error. The exit code."""
    output = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return asyncio.run(_serve(server, partial(os.read, sys.stdin.fileno()), partial(_write, output)))


def serve_port(server: ShardlintServer, port: int) -> int:
    """Wait for one editor on a port, 0 for any that is free, and serve it. The exit code."""
    with socket.create_server((HOST, port)) as listening:
        print(f"shardlint: waiting on {HOST}:{listening.getsockname()[1]}", file=sys.stderr, flush=True)
        connection, _ = listening.accept()
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return asyncio.run(_serve(server, connection.recv, connection.sendall))


async def _serve(server: ShardlintServer, read: Read, write: Write) -> int:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()
    server.protocol.connect(write, ended)
    arguments = (read, loop, server.protocol.receive, server.protocol.hung_up)
    threading.Thread(target=_listen, args=arguments, name="shardlint-reader", daemon=True).start()
    return await ended


def _listen(
    read: Read,
    loop: asyncio.AbstractEventLoop,
    receive: Callable[[object], None],
    hung_up: Callable[[], None],
) -> None:
    try:
        for message in messages(read):
            loop.call_soon_threadsafe(receive, message)
        loop.call_soon_threadsafe(hung_up)
    except RuntimeError:
        """The loop is closed: the server has ended."""


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
