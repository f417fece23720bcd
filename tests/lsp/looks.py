"""Looks at texts that stand in no editor, for tests of single features."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from shardlint.report import Notice
from shardlint_lsp.client import Client
from shardlint_lsp.look import Look
from shardlint_lsp.preferences import Preferences
from shardlint_lsp.roots import Root
from shardlint_lsp.texts import OpenText

LANGUAGES = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml"}
FULL = Client(
    related_information=True,
    diagnostic_tags=True,
    diagnostic_links=True,
    snippets=True,
    choices=True,
    completion_markdown=True,
    hover_markdown=True,
    action_literals=True,
    action_preferred=True,
    document_changes=True,
    creates_files=True,
    nested_symbols=True,
    definition_links=True,
    link_tooltips=True,
)
HOMES = tempfile.TemporaryDirectory(prefix="shardlint-looks-")
"""Folders of looks, deleted when the tests end."""


def look_at(
    files: Mapping[str, str],
    name: str,
    client: Client = FULL,
    preferences: Preferences | None = None,
    folder: Path | None = None,
) -> Look:
    """A look at the file `name`, which is open, in a folder that holds `files`."""
    home = folder or Path(tempfile.mkdtemp(dir=HOMES.name))
    for path, text in files.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")
    path = home / name
    text = OpenText(path.as_uri(), path, LANGUAGES.get(path.suffix, ""), 1, files[name])
    root, wanted = Root(home), preferences or Preferences()
    analysis = root.analyse(path, {path: files[name]}, wanted)
    document = root.workspace.read(path)
    assert not isinstance(document, Notice)
    return Look(text, 1, root, analysis, document, client, wanted)


def caret(marked: str) -> tuple[str, int]:
    """The text without its `|`, and the offset the mark stood at."""
    assert marked.count("|") == 1, marked
    return marked.replace("|", ""), marked.index("|")
