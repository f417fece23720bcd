"""Draft: collects the terms, open values and references of one document while a format reads it."""

from __future__ import annotations

from collections.abc import Callable

from shardlint.formats.keys import NOTHING, Keys
from shardlint.formats.reading import Format, Reading, Reference, given, is_open
from shardlint.plan import ASSUMED, DEFAULT, Fact
from shardlint.report import Place, missing_place, value_place
from shardlint.syntax.expression import expression
from shardlint.syntax.keypath import KeyPath
from shardlint.syntax.template import may_hold_template
from shardlint.syntax.tree import Mapping, Node, Pair, Scalar, Sequence
from shardlint.syntax.view import Entry, View, follow

Convert = Callable[[object], object]
_AUTO = expression(r"auto(?!\w)")
Path = tuple[str, ...]


class Draft:
    """Facts as they are found. A term stated first stays; a default never replaces a stated term."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.terms: dict[str, Fact[object]] = {}
        self.references: list[Reference] = []
        self._auto: dict[str, Entry] | None = None

    @property
    def auto(self) -> dict[str, Entry]:
        """Every scalar of the document that some other program fills in, by key path."""
        if self._auto is None:
            self._auto = open_values(self.view)
        return self._auto

    def entry(self, *path: str) -> Entry | None:
        return self.view.get(*path)

    def names(self, *path: str) -> frozenset[str]:
        """The keys of the mapping at a path; none where there is no mapping."""
        entry = self.view.get(*path)
        node = follow(entry.node) if entry is not None else None
        return Keys(node).names if isinstance(node, Mapping) else NOTHING

    def value(self, convert: Convert, *path: str) -> object:
        """The converted value of a key; None where it is absent, open or of the wrong type."""
        entry = self.view.get(*path)
        return None if entry is None or is_open(entry.value) else convert(entry.value)

    def opened(self, *path: str) -> bool:
        """Whether the value of a key is `auto` or a placeholder."""
        entry = self.view.get(*path)
        return entry is not None and is_open(entry.value)

    def take(self, term: str, convert: Convert, *path: str) -> bool:
        """State a term from the key of a path, if its value is one; says whether it was."""
        entry = self.view.get(*path)
        value = self.value(convert, *path)
        if entry is None or value is None:
            return False
        self.state(term, entry, value)
        return True

    def take_open(self, term: str, convert: Convert, *path: str) -> None:
        """State a term, as unknown where another program fills it in: so is what rests on it."""
        entry = self.view.get(*path)
        if entry is not None and is_open(entry.value):
            reason = f"{path[-1]} is filled in by another program"
            self.terms.setdefault(term, Fact(None, reason, ASSUMED, value_place(self.view.document, entry)))
        else:
            self.take(term, convert, *path)

    def state(self, term: str, entry: Entry, value: object) -> None:
        if term not in self.terms:
            self.terms[term] = given(self.view.document, entry, value)

    def default(self, term: str, value: object, origin: str, *path: str) -> None:
        """What the framework assumes; placed where the key of the path is absent, or at its value."""
        if term not in self.terms:
            self.terms[term] = Fact(value, origin, DEFAULT, self.place(*path))

    def place(self, *path: str) -> Place | None:
        """The value at a path; where it is missing, the nearest key above it that is there."""
        entry = self.view.get(*path) if path else None
        if entry is not None:
            return value_place(self.view.document, entry)
        for depth in range(len(path) - 1, -1, -1):
            parent = self.view.get(*path[:depth])
            if parent is not None:
                return missing_place(self.view.document, parent, path[depth])
        return None

    def refer(self, kind: str, *path: str) -> bool:
        """A reference to another file, if the key holds a path; says whether it does."""
        entry = self.view.get(*path)
        target = entry.value if entry is not None else None
        if entry is None or not isinstance(target, str) or is_open(target) or not target.strip():
            return False
        self.references.append(Reference(kind, target.strip(), entry))
        return True

    def reading(self, format: Format, consumer: Fact[str] | None = None) -> Reading:
        return Reading(
            self.view.document,
            format,
            self.view,
            self.terms,
            tuple(self.references),
            self.auto,
            consumer,
        )


def open_values(view: View) -> dict[str, Entry]:
    """Every scalar of the document that some other program fills in, by key path."""
    text = view.document.text
    if view.root is None or not (_AUTO.search(text) or may_hold_template(view.document)):
        return {}
    found: dict[str, Entry] = {}
    read = view.dialect.read
    pending: list[tuple[KeyPath, Pair | None, Node]] = [((), None, view.root)]
    while pending:
        path, pair, node = pending.pop()
        if isinstance(node, Mapping):
            pending += [((*path, pair.key.text), pair, pair.value) for pair in reversed(node.pairs)]
        elif isinstance(node, Sequence):
            pending += [((*path, at), None, item) for at, item in reversed([*enumerate(node.items)])]
        elif path and isinstance(node, Scalar) and is_open(read(node)):
            entry = Entry(view, path, pair, node)
            found[entry.key] = entry
    return found


def is_section(view: View, *path: str) -> bool:
    entry = view.get(*path)
    return entry is not None and isinstance(follow(entry.node), Mapping)
