"""Walk a settings table by entries, duplicates included."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.syntax.tree import Mapping, Sequence
from shardlint.syntax.view import Entry


def children(entry: Entry) -> list[Entry]:
    """The entries right below one, in the order written."""
    node = entry.node
    if isinstance(node, Mapping):
        return [Entry(entry.view, (*entry.path, pair.key.text), pair, pair.value) for pair in node.pairs]
    if isinstance(node, Sequence):
        return [Entry(entry.view, (*entry.path, at), None, item) for at, item in enumerate(node.items)]
    return []


def leaves(entry: Entry) -> Iterator[Entry]:
    """The entries below one that hold no table, in the order written."""
    pending = list(reversed(children(entry)))
    while pending:
        found = pending.pop()
        if isinstance(found.node, Mapping):
            pending.extend(reversed(children(found)))
        else:
            yield found
