"""Whose keys an open text has: the key table of a place, the releases and the readers that matter there."""

from __future__ import annotations

import re
from typing import NamedTuple

from shardlint.compose.job import Job
from shardlint.formats.dialects import dialect_for
from shardlint.formats.registry import recognise
from shardlint.schema.complete import FILLERS
from shardlint.schema.places import Located, locate
from shardlint.schema.releases import PACKAGES, Releases
from shardlint.schema.table import table
from shardlint.syntax.dialects.strict_json import STRICT_JSON
from shardlint.syntax.document import Document
from shardlint.syntax.keypath import KeyPath
from shardlint.syntax.view import Dialect, View
from shardlint_lsp.look import Look

NAMES = (
    (re.compile(r"(?i)(?:deepspeed|ds|zero)[-_]?\d?(?:[-_.]|config|stage).*\.h?json\Z|zero\d"), "deepspeed"),
    (
        re.compile(r"(?i)accelerate.*\.ya?ml\Z|(?:default|fsdp|deepspeed|multi_gpu)\w*config.*\.ya?ml\Z"),
        "accelerate",
    ),
    (re.compile(r"(?i)fsdp.*\.json\Z"), "fsdp"),
    (re.compile(r"(?i)training[-_]?arg.*\.(?:json|ya?ml)\Z"), "hf-args"),
)
"""What a file without keys is taken for, by its name: the first that fits."""

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
        known = recognise(document or look.document)
        schema = known.schema if known is not None else _by_name(look.name)
    return Vocabulary(schema, job) if schema else None


def dialect_of(look: Look) -> Dialect:
    """How the reader of a text takes it."""
    return look.reading.view.dialect if look.reading is not None else dialect_for(look.document, STRICT_JSON)


def view(look: Look) -> View:
    """An open text as its reader sees it."""
    return look.reading.view if look.reading is not None else View(look.document, dialect_of(look))


def _by_name(name: str) -> str | None:
    base = name.rpartition("/")[2]
    return next((schema for pattern, schema in NAMES if pattern.match(base)), None)
