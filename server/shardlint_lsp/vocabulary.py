"""Whose keys an open text has: the key table of a place, the releases and the readers that matter there."""

from __future__ import annotations

import re
from typing import NamedTuple

from shardlint.compose.job import Job
from shardlint.formats.dialects import dialect_for
from shardlint.formats.foreign import foreign_stack
from shardlint.formats.keys import Keys
from shardlint.formats.registry import recognise
from shardlint.schema.complete import FILLERS
from shardlint.schema.places import Located, locate
from shardlint.schema.releases import PACKAGES, Releases
from shardlint.schema.table import table
from shardlint.syntax.dialects.strict_json import STRICT_JSON
from shardlint.syntax.document import Document
from shardlint.syntax.keypath import KeyPath
from shardlint.syntax.view import Dialect, View
from shardlint_lsp.caret.spot import MARK
from shardlint_lsp.look import Look

NAMES = (
    (re.compile(r"(?i)(?:\b|_)(?:deepspeed|ds|zero)[-_]?\d?(?:\b|_|config|stage).*\.h?json\Z"), "deepspeed"),
    (re.compile(r"(?i)(?:\b|_)(?:accelerate|fsdp|deepspeed|zero\d|multi_gpu).*\.ya?ml\Z"), "accelerate"),
    (re.compile(r"(?i)\bdefault_config\.ya?ml\Z"), "accelerate"),
    (re.compile(r"(?i)(?:\b|_)fsdp.*\.json\Z"), "fsdp"),
    (re.compile(r"(?i)\btrain(?:ing)?[-_]arg.*\.(?:json|ya?ml)\Z"), "hf-args"),
)
"""What a file without keys is taken for, by its name: the first that fits."""

BY_LANGUAGE = {"json": ("deepspeed", "hf-args"), "yaml": ("accelerate", "hf-args")}
"""The tables whose files are written in a language."""

MOST_BY_CHANCE = 3
"""So many keys of a file of another kind may well be called like ours."""

ALONE = ("deepspeed", "accelerate")
"""Readers that are no Trainer: what the Trainer fills in nobody fills in for them."""


class Vocabulary(NamedTuple):
    """The key table a file is read by, and what narrows it."""

    schema: str
    job: Job | None

    def locate(self, path: KeyPath) -> Located:
        return locate(self.schema, path)

    def versions(self, stack: str) -> Releases | None:
        """The releases of the package that reads a table which may be installed."""
        return self.job.settings.versions(PACKAGES[table(stack).stack]) if self.job is not None else None

    @property
    def fillers(self) -> tuple[str, ...]:
        """Who may put a value in the place of `auto`."""
        reader = self.job.consumer.value if self.job is not None and self.job.consumer.certain else None
        if reader not in ALONE:
            return FILLERS
        return tuple(name for name in FILLERS if name == reader)


def vocabulary(look: Look, document: Document | None = None) -> Vocabulary | None:
    """The table for a text; `document` is what it is read as where it is not recognised as it stands."""
    job = look.jobs[0] if look.jobs else None
    schema = look.reading.format.schema if look.reading is not None else None
    if look.reading is None:
        schema = _schema_of(document or look.document)
    return Vocabulary(schema, job) if schema else None


def dialect_of(look: Look) -> Dialect:
    """How the reader of a text takes it."""
    return look.reading.view.dialect if look.reading is not None else dialect_for(look.document, STRICT_JSON)


def reader_view(look: Look) -> View:
    """An open text as its reader sees it."""
    return look.reading.view if look.reading is not None else View(look.document, dialect_of(look))


def _schema_of(document: Document) -> str | None:
    """The table of a text that has too few keys yet to be recognised: by its name, else by those it has."""
    known = recognise(document)
    if known is not None:
        return known.schema
    keys = Keys.of(document)
    if foreign_stack(keys) is not None:
        return None
    base = document.name.rpartition("/")[2]
    named = next((schema for pattern, schema in NAMES if pattern.search(base)), None)
    return named or _by_keys(keys, document.language)


def _by_keys(keys: Keys, language: str) -> str | None:
    """The first table that has every key, or half of them where that is more than chance."""
    names = keys.names - {MARK}
    for schema in BY_LANGUAGE.get(language, ()) if names else ():
        known = names & set(table(schema).names())
        if known == names or len(known) >= max(MOST_BY_CHANCE, len(names) / 2):
            return schema
    return None
