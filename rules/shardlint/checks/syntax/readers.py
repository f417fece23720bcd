"""Who reads a file and with what, and places and quotations for findings about its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import TRAINERS
from shardlint.checks.keys.reader import certain_reader
from shardlint.report import file_place

if TYPE_CHECKING:
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Place
    from shardlint.syntax.document import Document
    from shardlint.syntax.tree import Span

LONGEST_QUOTE = 40
ASSUMED_READER = ("no file or setting says who reads this file",)

_OWN = {"accelerate": "accelerate", "hf-args": "the Trainer", "fsdp": "the Trainer"}


def reader_of(reading: Reading, job: Job) -> str:
    """The program that reads the file, for the middle of a sentence: `DeepSpeed`, `the Trainer`."""
    own = _OWN.get(reading.format.name)
    if own is not None:
        return own
    consumer = job.consumer.value
    if consumer in TRAINERS:
        return "the Trainer"
    return "DeepSpeed" if consumer in (None, "deepspeed") else consumer


def assumed(reading: Reading, job: Job) -> tuple[str, ...]:
    """What a finding about this file's reader assumes: nothing where the reader is known."""
    return () if certain_reader(reading, job) else ASSUMED_READER


def at_text(document: Document, span: Span) -> Place:
    """A stretch of the text that is no value; one character wide where it has no width."""
    if span.end > span.start:
        return file_place(document, span)
    start = max(min(span.start, len(document.text) - 1), 0)
    return file_place(document, type(span)(start, min(start + 1, len(document.text))))


def quoted(document: Document, span: Span) -> str:
    """What stands there, on one line and at most 40 characters long."""
    text = " ".join(document.text[span.start : span.end].split())
    return text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 4]} ..."
