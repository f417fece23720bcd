"""What a forked process does: serve."""

from __future__ import annotations

import os
import sys
from multiprocessing.connection import Connection


def serve_on(reading: Connection, writing: Connection) -> None:
    """Serve over two pipes in place of standard input and output."""
    from shardlint_lsp.main import serve

    os.dup2(reading.fileno(), 0)
    os.dup2(writing.fileno(), 1)
    reading.close()
    writing.close()
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    os._exit(serve())
