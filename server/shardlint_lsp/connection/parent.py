"""The server ends when the editor that started it is gone."""

from __future__ import annotations

import os
import threading
import time

from shardlint_lsp.server import ShardlintServer

EVERY = 3.0
"""Seconds between two looks at the editor's process."""


def exit_with(server: ShardlintServer) -> None:
    """Watch the process the editor named at the start; where it named none, only the closed pipe tells."""
    threading.Thread(target=_watch, args=(server,), name="shardlint-parent", daemon=True).start()


def _watch(server: ShardlintServer) -> None:
    while True:
        time.sleep(EVERY)
        process = server.process_id
        if process is not None and not alive(process):
            os._exit(1)


def alive(process: int) -> bool:
    """Whether a process is there; one of another user is."""
    if os.name == "nt":
        return _alive_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _alive_on_windows(process: int) -> bool:
    """There `os.kill` would end the process: ask for a handle and whether it has ended."""
    import ctypes

    synchronize, timeout = 0x00100000, 0x102
    kernel = ctypes.windll.kernel32  # pyright: ignore[reportAttributeAccessIssue,reportUnknownMemberType,reportUnknownVariableType]
    handle = kernel.OpenProcess(synchronize, False, process)  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]
    if not handle:
        return False
    ended = kernel.WaitForSingleObject(handle, 0) != timeout  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]
    kernel.CloseHandle(handle)  # pyright: ignore[reportUnknownMemberType]
    return not ended
