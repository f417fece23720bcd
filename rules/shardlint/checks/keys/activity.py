"""Whether a key of an accelerate file is read under what the file states."""

from __future__ import annotations

from shardlint.formats.reading import Reading
from shardlint.schema import Key
from shardlint.syntax.view import Template

UNSURE = ""


def ruled_out(reading: Reading, key: Key) -> str | None:
    """The word in the file that keeps a key from being read (`MULTI_GPU`); None where it is read.

    `Key.effective` names another key and the words with which this one counts (`distributed_type FSDP`).
    A placeholder there leaves it open: then the word is UNSURE, and nothing can be said about the key.
    """
    switch, _, words = key.effective.partition(" ")
    if reading.format.name != "accelerate" or not words:
        return None
    value = reading.view.value(switch)
    if isinstance(value, Template):
        return UNSURE
    stated = "NO" if value is False else value
    if not isinstance(stated, str):
        return None
    return None if stated.upper() in words.upper().split() else stated
