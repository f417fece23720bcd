"""Places that name a file: values of configs, and paths in a settings file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shardlint.compose.links import direct
from shardlint.compose.shelf import Shelf
from shardlint.formats.reading import Reading
from shardlint.report import Notice
from shardlint.resolve.configs import config_path
from shardlint.syntax.document import Document
from shardlint.syntax.keypath import KeyPath
from shardlint.syntax.tree import Scalar, Span
from shardlint.syntax.view import View
from shardlint.workspace import Workspace
from shardlint_lsp.look import Look
from shardlint_lsp.recognised import settings_table
from shardlint_lsp.tree import content

GLOB = frozenset("*?")


class Mention(NamedTuple):
    """The place in `document` that names the file `path`, which is there. The span leaves quotes out."""

    path: Path
    document: Document
    span: Span


def mentions(look: Look) -> list[Mention]:
    """The files an open text names, in the order written."""
    if look.reading is not None:
        found = _in_reading(look.reading, look.root.workspace)
    else:
        found = _in_settings(look.document, look.root.workspace)
    return sorted(found, key=lambda mention: mention.span)


def mentions_of(look: Look, path: Path) -> list[Mention]:
    """The places that name a file: in the open text, in the configs known to name it and in the settings
    files near by. Configs that nobody has read yet are missing."""
    workspace = look.root.workspace
    shelf = Shelf(workspace)
    own = look.path(look.name)
    found = [mention for mention in mentions(look) if mention.path == path]
    for source in look.root.referrers.of(path):
        reading = shelf.reading(source) if source != own else None
        if isinstance(reading, Reading):
            found += [mention for mention in _in_reading(reading, workspace) if mention.path == path]
    for settings in sorted({job.settings.path for job in look.jobs if job.settings.path is not None}):
        document = workspace.read(settings)
        if not isinstance(document, Notice):
            found += [mention for mention in _in_settings(document, workspace) if mention.path == path]
    return found


def _in_reading(reading: Reading, workspace: Workspace) -> Iterator[Mention]:
    for link in direct(reading, Shelf(workspace)):
        if link.found is not None:
            span = content(link.reference.entry.node)
            yield Mention(workspace.absolute(link.found), reading.document, span)


def _in_settings(document: Document, workspace: Workspace) -> Iterator[Mention]:
    table = settings_table(document)
    if table is None:
        return
    from shardlint.syntax.dialects.toml import TOML

    for entry in View(document, TOML).walk(*table):
        if not isinstance(entry.node, Scalar) or not isinstance(entry.value, str):
            continue
        path = _named(entry.path[len(table) :], entry.value, workspace.absolute(document.name), workspace)
        if path is not None:
            yield Mention(path, document, content(entry.node))


def _named(key: KeyPath, value: str, settings: Path, workspace: Workspace) -> Path | None:
    """The file that the value of a setting is the path of."""
    match key:
        case ("jobs", int(), "files", *_) | ("files", int(), "match", *_):
            plain = value.strip() and not GLOB & set(value)
            path = workspace.absolute(str(settings.parent / value)) if plain else None
            return path if path is not None and workspace.exists(path) else None
        case (*_, "model", "name"):
            return config_path(value, settings, workspace)
        case (*_, "launch", "config_file" | "train"):
            return workspace.resolve(value, settings).path
        case _:
            return None
