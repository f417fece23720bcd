"""Follow what files name: from the root, then the file's folder, then its ancestors."""

from __future__ import annotations

from shardlint.compose.job import Link
from shardlint.compose.shelf import Shelf
from shardlint.formats.reading import Reading, Reference
from shardlint.report import Notice

MODEL_CONFIG = "config.json"


def closure(start: Reading, shelf: Shelf) -> tuple[Link, ...]:
    """Every link reachable from a file, nearest first; a circle of references is followed once."""
    links: list[Link] = []
    seen = {start.name}
    pending = [start]
    while pending:
        source = pending.pop(0)
        for link in direct(source, shelf):
            links.append(link)
            if link.target is not None and link.target.name not in seen:
                seen.add(link.target.name)
                pending.append(link.target)
    return tuple(links)


def direct(source: Reading, shelf: Shelf) -> tuple[Link, ...]:
    """The links of a file itself, in the order of its references."""
    return tuple(_follow(source, reference, shelf) for reference in source.references)


def _follow(source: Reading, reference: Reference, shelf: Shelf) -> Link:
    target = (
        f"{reference.target.rstrip('/')}/{MODEL_CONFIG}" if reference.kind == "model" else reference.target
    )
    resolved = shelf.workspace.resolve(target, shelf.path_of(source))
    if resolved.path is None:
        return Link(source, reference, None, None, resolved.tried)
    reading = shelf.reading(resolved.path)
    found = shelf.workspace.display(resolved.path)
    return Link(source, reference, None if isinstance(reading, Notice) else reading, found, resolved.tried)
