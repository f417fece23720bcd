"""Whether a key of an accelerate file is read where it stands and under what the file states."""

from __future__ import annotations

from shardlint.formats.reading import Reading
from shardlint.schema import Key, Table, table
from shardlint.syntax.keypath import KeyPath
from shardlint.syntax.view import Template

UNSURE = ""

COPIED = ("deepspeed_config", "megatron_lm_config", "parallelism_config", "mpirun_config")
"""Sections whose keys the launcher copies to its arguments as they are, whatever section they belong to."""

SHORT_SINCE = {"dynamo_config": ("dynamo_", "1.14.0")}
"""Sections whose keys may lack a prefix, and the first accelerate that adds it."""

CHECKED_BY_PLUGIN = {"fp8_config.fp8_opt_level": ("DEEPSPEED", "1.5.0")}
"""Values of accelerate's sections, the kind of job whose plugin looks at them, and since when."""

NO_ARGUMENTS = ("compute_environment", "distributed_type")
"""Top-level keys that are no arguments of the launcher."""


def is_copied(here: Table, path: KeyPath) -> bool:
    """Whether the launcher reads a key of accelerate although it stands in the wrong section."""
    name = str(path[-1])
    if here.stack != "accelerate" or len(path) < 2 or path[0] not in COPIED or name in NO_ARGUMENTS:
        return False
    return any(key is not None and key.name == name for key in map(here.find, here.places_of(name)))


def short_since(path: KeyPath) -> str:
    """The first accelerate that reads a key written without its prefix; empty for all."""
    prefix, since = SHORT_SINCE.get(str(path[0]), ("", ""))
    return since if len(path) > 1 and not str(path[-1]).startswith(prefix) else ""


def plugin_since(path: str, distributed_type: object) -> str:
    """The first accelerate in which the plugin of a kind of job looks at a value before its section is
    checked; empty where none does."""
    kind, since = CHECKED_BY_PLUGIN.get(path, ("", ""))
    return since if distributed_type == kind else ""


def ruled_out(reading: Reading, key: Key) -> str | None:
    """The word in the file that keeps a key from being read (`MULTI_GPU`); None where it is read.

    `Key.effective` names another key and the words with which this one counts (`distributed_type FSDP`).
    A placeholder there leaves it open: then the word is UNSURE, and nothing can be said about the key.
    A word the other key never takes rules nothing out: it may be a slip for the one that counts.
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
    if stated.upper() in words.upper().split() or not _is_taken(switch, stated):
        return None
    return stated


def _is_taken(switch: str, stated: str) -> bool:
    known = table("accelerate").find(switch)
    return known is None or stated.upper() in (word.text.upper() for word in known.words)
