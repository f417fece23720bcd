"""The entry point of parsing: bytes or text in, a Document out, whatever was in them."""

from __future__ import annotations

from shardlint.syntax.decode import decode
from shardlint.syntax.document import Document

LANGUAGES = {
    ".json": "json",
    ".jsonc": "json",
    ".hjson": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
}
"""File name suffix -> language; any other name is `text`."""


def language_of(name: str) -> str:
    """The language a file name promises: json (hjson included), yaml, toml or text."""
    base = name.replace("\\", "/").rpartition("/")[2]
    return LANGUAGES.get(f".{base.rpartition('.')[2].lower()}", "text") if "." in base else "text"


def parse(source: bytes | str, name: str, language: str | None = None) -> Document:
    """Parse a file. `name` is the path shown to people; `language` overrides what its suffix promises.

    Never raises: what could not be read is in `Document.faults`. A fault with `limit` means that the text
    was too large or too deep to be judged. Offsets count from after a byte-order mark.
    """
    language = language or language_of(name)
    decoded = decode(source, language)
    if any(fault.limit for fault in decoded.faults):
        return Document(name, decoded.text, language, faults=decoded.faults)
    document = _parse_text(name, decoded.text, language)
    document.faults = decoded.faults + document.faults
    document.marks = decoded.marks + document.marks
    return document


def _parse_text(name: str, text: str, language: str) -> Document:
    if language == "json":
        from shardlint.syntax.json_parser import parse_json

        return parse_json(name, text)
    if language == "yaml":
        from shardlint.syntax.yaml_parser import parse_yaml

        return parse_yaml(name, text)
    if language == "toml":
        from shardlint.syntax.toml_parser import parse_toml

        return parse_toml(name, text)
    return Document(name, text, "text")
