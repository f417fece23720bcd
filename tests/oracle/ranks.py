"""Start a script once a rank, on this machine's CPU, and collect what each of them reports."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SHARED_MEMORY = Path("/dev/shm")


class RankFailed(RuntimeError):
    """A rank ended without a report, or did not end in time."""


def run(script: str, cases: dict[str, Any], world: int, folder: Path, seconds: float = 240) -> list[Any]:
    """The reports of all ranks, by rank. `script` is called with the cases and the file to write to.

    Ranks that outlive the time limit are ended; what DeepSpeed leaves in shared memory is removed.
    """
    port = _free_port()
    started = [_start(script, cases, rank, world, port, folder) for rank in range(world)]
    try:
        _wait(started, time.monotonic() + seconds)
    finally:
        for process in started:
            process.kill()
            process.wait()
        _clean(port)
    return [_report(folder, rank) for rank in range(world)]


def _start(script: str, cases: dict[str, Any], rank: int, world: int, port: int, folder: Path) -> Any:
    environment = dict(
        os.environ,
        RANK=str(rank),
        LOCAL_RANK=str(rank),
        WORLD_SIZE=str(world),
        LOCAL_WORLD_SIZE=str(world),
        LOCAL_SIZE=str(world),
        MASTER_ADDR="127.0.0.1",
        MASTER_PORT=str(port),
        DS_ACCELERATOR="cpu",
        OMP_NUM_THREADS="1",
        GLOO_SOCKET_IFNAME="lo",
    )
    command = [sys.executable, str(HERE / script), json.dumps(cases), str(folder / f"{rank}.json")]
    log = (folder / f"{rank}.log").open("w")
    return subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)


def _wait(started: list[Any], deadline: float) -> None:
    """Until all have ended, one has failed, or time is up."""
    while time.monotonic() < deadline:
        codes = [process.poll() for process in started]
        if None not in codes or any(codes):
            return
        time.sleep(0.1)


def _report(folder: Path, rank: int) -> Any:
    report = folder / f"{rank}.json"
    if not report.exists():
        raise RankFailed((folder / f"{rank}.log").read_text()[-3000:])
    return json.loads(report.read_text())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _clean(port: int) -> None:
    """DeepSpeed's CPU all-reduce leaves tens of MiB a rank behind."""
    for left in SHARED_MEMORY.glob(f"deepspeed_allreduce_buffer_*_{port}_*"):
        left.unlink(missing_ok=True)
