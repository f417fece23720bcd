"""The top-level keys of a document and the shape of their values: all that recognition looks at."""

from __future__ import annotations

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Mapping, Node, Scalar, Sequence
from shardlint.syntax.view import find_pair, follow, merge_sources

NOTHING: frozenset[str] = frozenset()


class Keys:
    """The keys of one mapping. Merged keys count, dialects do not: no value is read, only its shape."""

    __slots__ = ("mapping", "names")

    def __init__(self, mapping: Mapping | None) -> None:
        self.mapping = mapping
        self.names = _names(mapping) if mapping is not None else NOTHING

    @classmethod
    def of(cls, document: Document) -> Keys:
        """The keys of the first document of a file; none where its root is no mapping."""
        root = follow(document.roots[0]) if document.roots else None
        return cls(root if isinstance(root, Mapping) else None)

    def node(self, name: str) -> Node | None:
        pair = find_pair(self.mapping, name) if self.mapping is not None and name in self.names else None
        return follow(pair.value) if pair is not None else None

    def below(self, name: str) -> Keys:
        """The keys of the mapping under a key; none where it holds no mapping."""
        node = self.node(name)
        return Keys(node if isinstance(node, Mapping) else None)

    def text(self, name: str) -> str:
        """The text of a scalar under a key; empty where there is none."""
        node = self.node(name)
        return node.text if isinstance(node, Scalar) else ""

    def is_mapping(self, name: str) -> bool:
        return isinstance(self.node(name), Mapping)

    def is_scalar(self, name: str) -> bool:
        """A scalar stands under the key, or the key waits for its value."""
        return isinstance(self.node(name), Scalar)

    def is_list(self, name: str) -> bool:
        return isinstance(self.node(name), Sequence)

    def count(self, names: frozenset[str]) -> int:
        return len(self.names & names)


def _names(mapping: Mapping) -> frozenset[str]:
    own = frozenset(pair.key.text for pair in mapping.pairs)
    if "<<" not in own:
        return own
    merged = (pair.key.text for source in merge_sources(mapping) for pair in source.pairs)
    return own.union(merged)
