"""The texts open in the editor, and the paths they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from shardlint.syntax.parse import LANGUAGES
from shardlint.workspace.workspace import absolute
from shardlint_lsp.incremental import edited
from shardlint_lsp.positions import MARK

SUFFIXES = {"json": ".json", "jsonc": ".json", "hjson": ".hjson", "yaml": ".yaml", "toml": ".toml"}
"""Language id -> the suffix a text without a file is read by."""


class OpenText(NamedTuple):
    """A text as the editor has it. `path` is the file it is, or would be."""

    uri: str
    path: Path
    language: str
    version: int | None
    text: str

    @property
    def lead(self) -> int:
        """How many characters stand before what is parsed: a byte-order mark is one."""
        return int(self.text.startswith(MARK))


class Texts:
    """Open texts by path. Several URIs may spell one path; the one it was opened by is kept."""

    def __init__(self) -> None:
        self._by_path: dict[Path, OpenText] = {}

    def __iter__(self) -> Iterator[OpenText]:
        return iter(tuple(self._by_path.values()))

    def copy(self) -> Texts:
        """The texts as they are now, whatever is opened, changed or closed later."""
        copied = Texts()
        copied._by_path = dict(self._by_path)
        return copied

    def open(self, item: types.TextDocumentItem, home: Path) -> OpenText:
        """`home` is the folder of texts that are no file."""
        path = path_of(item.uri, home, item.language_id)
        opened = OpenText(item.uri, path, item.language_id, item.version, item.text)
        self._by_path[path] = opened
        return opened

    def change(self, params: types.DidChangeTextDocumentParams, encoding: str) -> OpenText | None:
        """The text after the changes; None where it was never opened."""
        known = self.get(params.text_document.uri)
        if known is None:
            return None
        text = edited(known.text, params.content_changes, encoding)
        changed = known._replace(text=text, version=params.text_document.version)
        self._by_path[known.path] = changed
        return changed

    def close(self, uri: str) -> OpenText | None:
        known = self.get(uri)
        return self._by_path.pop(known.path) if known else None

    def get(self, uri: str) -> OpenText | None:
        return next((text for text in self._by_path.values() if text.uri == uri), None) or self._spelt(uri)

    def at(self, path: Path) -> OpenText | None:
        return self._by_path.get(path)

    def uri(self, path: Path) -> str:
        """The URI the editor calls a path by."""
        known = self._by_path.get(path)
        return known.uri if known else from_fs_path(str(path)) or path.as_uri()

    def overlay(self) -> Mapping[Path, str]:
        return {text.path: text.text.removeprefix(MARK) for text in self._by_path.values()}

    def _spelt(self, uri: str) -> OpenText | None:
        path = file_of(uri)
        return self._by_path.get(path) if path else None


def file_of(uri: str) -> Path | None:
    """The path of a `file:` URI; None for any other."""
    try:
        path = to_fs_path(uri) if uri.startswith("file:") else None
    except ValueError:
        return None
    return absolute(Path(path)) if path and "\0" not in path else None


def path_of(uri: str, home: Path, language: str = "") -> Path:
    """The path a text is read by: its file, else a name in `home` with the suffix of its language."""
    known = file_of(uri)
    if known is not None:
        return known
    try:
        name = unquote(urlsplit(uri).path)
    except ValueError:
        name = uri
    plain = re.sub(r"[^\w.-]+", "_", name.rpartition("/")[2]).strip("._") or "untitled"
    suffix = SUFFIXES.get(language, "")
    return absolute(home / (plain if Path(plain).suffix.lower() in LANGUAGES else plain + suffix))
