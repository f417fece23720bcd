"""A long-lived process that asks one release of a framework, started again when it dies or hangs."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO

from oracle.differential.question import Answer, Question, to_line
from oracle.environments import Environment

TESTS = Path(__file__).parents[2]
START_SECONDS = 240.0
ASK_SECONDS = 60.0


class Silent(RuntimeError):
    """The process ended or said nothing in time."""


class Worker:
    """Use as a context manager. One question at a time."""

    def __init__(self, environment: Environment, *, engine: bool = False) -> None:
        self.environment = environment
        self.options = ["--engine"] if engine else []
        self.folder = tempfile.TemporaryDirectory()
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Worker:
        self._start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._stop()
        self.folder.cleanup()

    def ask(self, question: Question) -> Answer:
        """What the framework answers; `broken` says why there is no answer."""
        try:
            if self.process is None:
                self._start()
            self._write(json.dumps(to_line(question)))
            return Answer(**json.loads(self._read(ASK_SECONDS)))
        except (Silent, OSError, ValueError) as error:
            self._stop()
            return Answer(None, broken=str(error) or type(error).__name__)

    def _start(self) -> None:
        module = f"oracle.differential.ask_{self.environment.framework}"
        self.process = subprocess.Popen(
            [self.environment.python, "-m", module, *self.options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(Path(self.folder.name) / "log").open("w"),
            text=True,
            cwd=self.folder.name,
            env=self.environment.variables(TESTS),
            start_new_session=True,
        )
        if self._read(START_SECONDS).strip() != "ready":
            raise Silent(self.log())

    def _stop(self) -> None:
        process, self.process = self.process, None
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        if process is not None:
            process.wait()

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        if self.process is None or self.process.stdin is None or self.process.stdout is None:
            raise Silent("not started")
        return self.process.stdin, self.process.stdout

    def _write(self, line: str) -> None:
        stdin, _ = self._pipes()
        stdin.write(line + "\n")
        stdin.flush()

    def _read(self, seconds: float) -> str:
        _, stdout = self._pipes()
        with selectors.DefaultSelector() as waiting:
            waiting.register(stdout, selectors.EVENT_READ)
            if not waiting.select(seconds):
                raise Silent(f"no answer in {seconds:.0f} s")
        line = stdout.readline()
        if not line:
            raise Silent(f"the process ended: {self.log()}")
        return line

    def log(self) -> str:
        """The end of what the process wrote to its standard error."""
        return (Path(self.folder.name) / "log").read_text(errors="replace")[-2000:]
