"""A document as one reader sees it: look up keys, read values, keep the places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol, TypeAlias

from shardlint.syntax.document import Document
from shardlint.syntax.keypath import KeyPath, render
from shardlint.syntax.tree import Alias, Mapping, Node, Pair, Scalar, Sequence, Span

MAX_ALIAS_STEPS = 50
MAX_VALUE_DEPTH = 250
MAX_COPIED_NODES = 5_000
"""Nodes one value repeats from behind aliases: real files repeat a few hundred."""
MANY_PAIRS = 8
"""From so many keys on a section is searched by an index."""
MAX_INT_BITS = 14_280
"""No value is a larger whole number: beyond 4300 digits Python prints none."""


class Template:
    """A scalar some other program fills in (`${X}`, `{{ x }}`, `CONFIG_ZERO_STAGE`): unknown, never wrong."""

    __slots__ = ("raw",)

    def __init__(self, raw: str) -> None:
        self.raw = raw

    def __repr__(self) -> str:
        return f"Template({self.raw!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Template) and other.raw == self.raw

    def __hash__(self) -> int:
        return hash(self.raw)


Plain: TypeAlias = "bool | int | float | str | Template | None"
Value: TypeAlias = "Plain | list[Value] | dict[str, Value]"


class Refusal(NamedTuple):
    """Why a reader does not take a construct: `effect` ends a sentence that starts with the reader's name."""

    effect: str


class Dialect(Protocol):
    """How one loader reads text: what it makes of a scalar and which marks it refuses."""

    @property
    def name(self) -> str: ...

    def read(self, scalar: Scalar) -> Plain:
        """The value this loader gives the scalar. Never raises."""
        ...

    def refusal(self, mark: str) -> Refusal | None:
        """What happens when this loader meets the construct, or None where it takes it."""
        ...


class Entry:
    """One key of a document: its path, the pair it stands in (None for the root or a list item), its node.

    `value` is read on first use, by the dialect of the view the entry came from.
    """

    __slots__ = ("_value", "index", "node", "pair", "path", "view")

    def __init__(self, view: View, path: KeyPath, pair: Pair | None, node: Node) -> None:
        self.view = view
        self.path = path
        self.pair = pair
        self.node = node
        self.index = view.index

    @property
    def value(self) -> Value:
        try:
            return self._value
        except AttributeError:
            self._value: Value = self.view.read(self.node)
            return self._value

    @property
    def key(self) -> str:
        return render(self.path, self.index)

    @property
    def name(self) -> str:
        """The last step of the path, as text."""
        return str(self.path[-1]) if self.path else ""

    @property
    def guessed(self) -> bool:
        return self.node.guessed or (self.pair is not None and self.pair.guessed)

    @property
    def key_span(self) -> Span:
        return self.pair.key.span if self.pair else self.node.span

    @property
    def value_span(self) -> Span:
        """The value as written; for a value that was not written, the key."""
        return self.node.span if self.node.span.end > self.node.span.start else self.key_span

    @property
    def pair_span(self) -> Span:
        return self.pair.span if self.pair else self.node.span

    def __repr__(self) -> str:
        return f"Entry({self.key})"


class View:
    """A document read by one dialect. `index` picks the YAML document.

    What is remembered refers to no Entry, which refers to its view: a document nobody looks at any more is
    freed at once, without a search for circles.
    """

    __slots__ = ("_found", "_last", "_values", "dialect", "document", "index")

    def __init__(self, document: Document, dialect: Dialect, index: int = 0) -> None:
        self.document = document
        self.dialect = dialect
        self.index = index
        self._found: dict[KeyPath, tuple[Pair | None, Node] | None] = {}
        self._values: dict[int, Value] = {}
        self._last: dict[int, dict[str, Pair]] = {}

    @property
    def root(self) -> Node | None:
        roots = self.document.roots
        return roots[self.index] if self.index < len(roots) else None

    @property
    def mapping(self) -> Mapping | None:
        root = self.root
        return root if isinstance(root, Mapping) else None

    def get(self, *path: str | int) -> Entry | None:
        """The entry at a path (last duplicate wins, merges and aliases followed), or None when absent."""
        try:
            found = self._found[path]
        except KeyError:
            found = self._found[path] = self._find(path)
        return Entry(self, path, found[0], found[1]) if found else None

    def value(self, *path: str | int) -> Value:
        """The value at a path; None both for an absent key and for null (`get` tells them apart)."""
        entry = self.get(*path)
        return entry.value if entry else None

    def read(self, node: Node) -> Value:
        """The plain value of a node of this document."""
        try:
            return self._values[id(node)]
        except KeyError:
            value = self.dialect.read(node) if isinstance(node, Scalar) else to_value(node, self.dialect)
            self._values[id(node)] = value
            return value

    def entries(self, *path: str | int) -> list[Entry]:
        """The keys of a mapping (or items of a list) as written: duplicates included, merges not."""
        node = self.root if not path else self._node(path)
        return self._under(path, follow(node) if node else None)

    def walk(self, *path: str | int) -> Iterator[Entry]:
        """Every entry below a path, parents before children; aliases are not entered."""
        pending = list(reversed(self.entries(*path)))
        while pending:
            entry = pending.pop()
            yield entry
            if isinstance(entry.node, Mapping | Sequence):
                pending.extend(reversed(self.below(entry)))

    def below(self, entry: Entry) -> list[Entry]:
        """The keys or items right below an entry; none where it is an alias."""
        return self._under(entry.path, entry.node)

    def _under(self, path: KeyPath, node: Node | None) -> list[Entry]:
        if isinstance(node, Mapping):
            return [Entry(self, (*path, pair.key.text), pair, pair.value) for pair in node.pairs]
        if isinstance(node, Sequence):
            return [Entry(self, (*path, at), None, item) for at, item in enumerate(node.items)]
        return []

    def _node(self, path: KeyPath) -> Node | None:
        entry = self.get(*path)
        return entry.node if entry else None

    def _find(self, path: KeyPath) -> tuple[Pair | None, Node] | None:
        node = self.root
        pair: Pair | None = None
        for step in path:
            node = follow(node) if node else None
            if isinstance(node, Mapping) and isinstance(step, str):
                pair = self._pair(node, step)
                node = pair.value if pair else None
            elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
                pair, node = None, node.items[step]
            else:
                return None
            if node is None:
                return None
        return None if node is None else (pair, node)

    def _pair(self, mapping: Mapping, key: str) -> Pair | None:
        if len(mapping.pairs) < MANY_PAIRS:
            return find_pair(mapping, key)
        known = self._last.get(id(mapping))
        if known is None:
            known = self._last[id(mapping)] = {pair.key.text: pair for pair in mapping.pairs}
        return find_pair(mapping, key) if key == "<<" or "<<" in known else known.get(key)


def follow(node: Node | None) -> Scalar | Mapping | Sequence | None:
    """The node behind aliases; None for an alias without an anchor or a circle of aliases."""
    for _ in range(MAX_ALIAS_STEPS):
        if not isinstance(node, Alias):
            return node
        node = node.target
    return None


def find_pair(mapping: Mapping, key: str) -> Pair | None:
    """The last pair with that key, else the pair a merge key (`<<`) brings in."""
    pending, seen = [mapping], {id(mapping)}
    while pending:
        searched = pending.pop()
        for pair in reversed(searched.pairs):
            if pair.key.text == key and not (key == "<<" and pair.key.style == "plain"):
                return pair
        sources = [source for source in merge_sources(searched) if id(source) not in seen]
        seen.update(id(source) for source in sources)
        pending.extend(reversed(sources))
    return None


def merge_sources(mapping: Mapping) -> list[Mapping]:
    """The mappings a plain `<<` key merges, in order of precedence."""
    sources: list[Mapping] = []
    for pair in mapping.pairs:
        if pair.key.text != "<<" or pair.key.style != "plain":
            continue
        value = follow(pair.value)
        candidates = value.items if isinstance(value, Sequence) else [value]
        sources.extend(found for item in candidates if isinstance(found := follow(item), Mapping))
    return sources


def to_value(node: Node, dialect: Dialect) -> Value:
    """The plain value of a node, merges and aliases expanded up to `MAX_COPIED_NODES`; beyond it None."""
    return _to_value(node, dialect, [MAX_COPIED_NODES], 0)


def _to_value(node: Node, dialect: Dialect, budget: list[int], depth: int, copied: bool = False) -> Value:
    """What stands behind an alias or a merge key is `copied`: only that can be larger than the file."""
    copied = copied or isinstance(node, Alias)
    budget[0] -= copied
    seen = follow(node)
    if seen is None or depth > MAX_VALUE_DEPTH or budget[0] <= 0:
        return None
    if isinstance(seen, Scalar):
        return dialect.read(seen)
    if isinstance(seen, Sequence):
        return [_to_value(item, dialect, budget, depth + 1, copied) for item in seen.items]
    merged: dict[str, Value] = {}
    for source in reversed(merge_sources(seen)):
        inherited = _to_value(source, dialect, budget, depth + 1, True)
        merged.update(inherited if isinstance(inherited, dict) else {})
    for pair in seen.pairs:
        if pair.key.text != "<<" or pair.key.style != "plain":
            merged[pair.key.text] = _to_value(pair.value, dialect, budget, depth + 1, copied)
    return merged
