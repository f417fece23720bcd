"""The loop of a worker: one question a line in, one answer a line out."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TextIO

from oracle.differential.question import Answer, Question, to_line

LONGEST_MESSAGE = 300


class Refused(Exception):
    """Raised by an asker to say at which layer the framework gave up, and why."""

    def __init__(self, layer: str, cause: BaseException) -> None:
        super().__init__(layer)
        self.layer = layer
        self.cause = cause


Ask = Callable[[Question, Path], None]
"""Raises Refused where the framework refuses; gets the question and the path of the target file."""


def own_output() -> TextIO:
    """The standard output for the answers alone; what frameworks print goes to the standard error."""
    channel = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    return channel


def serve(ask: Ask, channel: TextIO) -> None:
    """Answer until the input ends."""
    channel.write("ready\n")
    for line in sys.stdin:
        question = Question(**json.loads(line))
        channel.write(json.dumps(to_line(answer(ask, question))) + "\n")


def answer(ask: Ask, question: Question) -> Answer:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in question.files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        try:
            ask(question, Path(folder) / question.target)
        except Refused as refused:
            cause = refused.cause
            message = " ".join(str(cause).split()).replace(folder, "")
            return Answer(refused.layer, type(cause).__name__, message[:LONGEST_MESSAGE])
        except BaseException as error:
            return Answer(None, broken=f"{type(error).__name__}: {error}"[:LONGEST_MESSAGE])
    return Answer(None)


def in_child(ask: Ask) -> Ask:
    """The same, each question in a process of its own that starts as a copy of this one."""

    def forked(question: Question, path: Path) -> None:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _report(ask, question, path, writing)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
        if not said:
            raise RuntimeError("the process ended without a word")
        layer, name, message = json.loads(said)
        if layer == "broken":
            raise RuntimeError(f"{name}: {message}")
        if layer:
            raise Refused(layer, type(name, (Exception,), {})(message))

    return forked


def learn(ask: Ask, question: Question) -> None:
    """Import here what a question makes a process import, so that those that follow need not."""
    with tempfile.TemporaryDirectory() as folder:
        seen = Path(folder) / "seen"

        def look(question: Question, path: Path) -> None:
            try:
                ask(question, path)
            finally:
                seen.write_text("\n".join(sys.modules), encoding="utf-8")

        answer(in_child(look), question)
        for name in seen.read_text(encoding="utf-8").split("\n"):
            if name not in sys.modules:
                with suppress(Exception):
                    import_module(name)


def _report(ask: Ask, question: Question, path: Path, writing: int) -> None:
    said = ("", "", "")
    try:
        ask(question, path)
    except Refused as refused:
        said = (refused.layer, type(refused.cause).__name__, str(refused.cause))
    except BaseException as error:
        said = ("broken", type(error).__name__, str(error))
    os.write(writing, json.dumps(said)[:60000].encode() if len(str(said)) < 30000 else b'["broken", "", ""]')
    os._exit(0)
