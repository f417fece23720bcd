"""Finding, Fix and Report: what a lint says, independent of who prints it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span
from shardlint.syntax.view import Entry

GIB = 1024**3
LONGEST_WORD = 200
"""Key paths and file names in a message are shorter; a number of 5000 digits is not."""


class Severity(IntEnum):
    """Operational meaning: see docs/severity. ERROR is a run that certainly fails."""

    HINT = 1
    INFO = 2
    WARNING = 3
    ERROR = 4

    @property
    def word(self) -> str:
        return self.name.lower()


HINT, INFO, WARNING, ERROR = Severity.HINT, Severity.INFO, Severity.WARNING, Severity.ERROR


class Place(NamedTuple):
    """Where something stands: a file, a key path, a span; `missing` names an absent key of `key`."""

    path: str
    key: str
    span: Span
    document: Document | None = None
    missing: str | None = None
    guessed: bool = False


class Related(NamedTuple):
    place: Place
    message: str


class Edit(NamedTuple):
    """Replace a span of a file's text."""

    path: str
    span: Span
    text: str


class Fix(NamedTuple):
    """`safe` = same meaning, or refused before and accepted after with the only possible meaning."""

    title: str
    safe: bool = False
    edits: tuple[Edit, ...] = ()


class Finding(NamedTuple):
    """One thing worth saying, at one place. `confidence` is certain, estimated or assumed."""

    message: str
    place: Place
    severity: Severity = WARNING
    confidence: str = "certain"
    fails_at: str | None = None
    help: str | None = None
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    assumes: tuple[str, ...] = ()
    rule: str = ""
    code: str = ""
    default_severity: Severity = WARNING
    jobs: tuple[str, ...] = ()


def key_place(document: Document, entry: Entry) -> Place:
    """The key of an entry."""
    return Place(document.name, entry.key, entry.key_span, document, guessed=entry.guessed)


def value_place(document: Document, entry: Entry) -> Place:
    """The value of an entry (its key where no value was written)."""
    return Place(document.name, entry.key, entry.value_span, document, guessed=entry.guessed)


def missing_place(document: Document, parent: Entry | None, name: str) -> Place:
    """An absent key: the parent's key, or the start of the file at top level."""
    if parent is None or not parent.path:
        return Place(document.name, "", Span(0, 0), document, name)
    return Place(document.name, parent.key, parent.key_span, document, name, parent.guessed)


def file_place(document: Document, span: Span = Span(0, 0)) -> Place:
    """The file as a whole, or a stretch of it that belongs to no key."""
    return Place(document.name, "", span, document)


class FileReport(NamedTuple):
    path: str
    format: str | None


class Notice(NamedTuple):
    """Something about the lint itself: an unreadable file, a path without configs. Exit 2 when `asked`."""

    path: str
    message: str
    asked: bool = True


class Report(NamedTuple):
    files: tuple[FileReport, ...]
    findings: tuple[Finding, ...]
    jobs: tuple[dict[str, object], ...] = ()
    notices: tuple[Notice, ...] = ()

    def worst(self) -> Severity | None:
        return max((finding.severity for finding in self.findings), default=None)


def gib(size: float) -> str:
    """Bytes as GiB (1024^3) to two decimals, the only way a memory figure is printed."""
    return f"{size / GIB:.2f} GiB"


def listing(words: Iterable[str], last: str = "or") -> str:
    """`a`, `a or b`, `a, b or c`."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def one_line(message: str) -> str:
    """The message on one line, with very long words shortened: values are quoted in it."""
    if len(message) <= LONGEST_WORD and "\n" not in message:
        return message
    return " ".join(word if len(word) <= LONGEST_WORD else f"{word[:57]}..." for word in message.split())
