"""What counts as ours: configs a format recognises, and settings files. The rest is left to other servers."""

from __future__ import annotations

from shardlint.settings.loader import FILE_NAME, PROJECT_NAME, TABLE
from shardlint.syntax.document import Document
from shardlint.syntax.view import View
from shardlint_lsp.look import Look


def settings_table(document: Document) -> tuple[str, ...] | None:
    """Below which key a settings file holds the settings; None for any other file."""
    name = document.name.rpartition("/")[2]
    if name == FILE_NAME:
        return ()
    if name == PROJECT_NAME and "tool.shardlint" in document.text:
        return TABLE
    return None


def recognised_view(look: Look) -> View | None:
    """The tree of a recognised config or of a shardlint.toml, as its reader sees it; None for any other text,
    a pyproject.toml too: only one table of it is ours."""
    if look.reading is not None:
        return look.reading.view
    if settings_table(look.document) == ():
        from shardlint.syntax.dialects.toml import TOML

        return View(look.document, TOML)
    return None
