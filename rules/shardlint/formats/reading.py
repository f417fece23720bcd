"""Reading: the settings a file states, with their places, and the files it refers to. Never a plan."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as MappingType
from typing import NamedTuple, Protocol, TypeVar, cast

from shardlint.plan import Fact
from shardlint.report import Place, value_place
from shardlint.syntax.document import Document
from shardlint.syntax.view import Dialect, Entry, Template, View

T = TypeVar("T")


class Reference(NamedTuple):
    """A file named by a file. `kind` is deepspeed, fsdp, hostfile, accelerate or model."""

    kind: str
    target: str
    entry: Entry


class Reading:
    """One document as its format reads it.

    `terms` are facts in the vocabulary of TrainingPlan (field names, `options.<name>`), plus
    `model.*` and `training_args.*` facts this file gives to its job; a value that is `auto` or a
    placeholder gives no term but stands in `auto` (key path -> entry). `references` name other files.
    `consumer` is who reads the file as far as the file alone shows it, else unknown.
    """

    __slots__ = ("_kept", "auto", "consumer", "document", "format", "references", "terms", "view")

    def __init__(
        self,
        document: Document,
        format: Format,
        view: View,
        terms: dict[str, Fact[object]] | None = None,
        references: tuple[Reference, ...] = (),
        auto: dict[str, Entry] | None = None,
        consumer: Fact[str] | None = None,
    ) -> None:
        self.document = document
        self.format = format
        self.view = view
        self.terms: MappingType[str, Fact[object]] = terms or {}
        self.references = references
        self.auto: MappingType[str, Entry] = auto or {}
        self._kept: dict[str, object] = {}
        self.consumer: Fact[str] = consumer or Fact(None, "no file says who reads this one", "assumed")

    @property
    def name(self) -> str:
        return self.document.name

    def kept(self, name: str, make: Callable[[Reading], T]) -> T:
        """What `make` makes of this reading, made once and kept as long as the reading is."""
        if name not in self._kept:
            self._kept[name] = make(self)
        return cast("T", self._kept[name])

    def read_by(self, dialect: Dialect) -> Reading:
        """The same document read again by the loader of another consumer."""
        return self.format.read(self.document, dialect)

    def __repr__(self) -> str:
        return f"Reading({self.document.name}, {self.format.name})"


class Format(Protocol):
    """A kind of file. `schema` names the key table its keys are checked against, or is None."""

    @property
    def name(self) -> str: ...

    @property
    def schema(self) -> str | None: ...

    def matches(self, document: Document) -> bool:
        """Whether the keys of this document are those of this format (signatures, never the name alone)."""
        ...

    def read(self, document: Document, dialect: Dialect | None = None) -> Reading:
        """The reading; `dialect` overrides the loader this format usually meets."""
        ...


def given(reading_document: Document, entry: Entry, value: object = None) -> Fact[object]:
    """The fact an entry states: origin `file:line`, placed at its value."""
    span = entry.value_span
    line = reading_document.position(span.start).line
    place: Place = value_place(reading_document, entry)
    stated = entry.value if value is None else value
    return Fact(stated, f"{reading_document.name}:{line}", "given", place)


def is_open(value: object) -> bool:
    """A value some other program fills in: `auto` or a placeholder."""
    return isinstance(value, Template) or value == "auto"


Convert = Callable[[object], object]
