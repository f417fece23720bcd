"""The loader a document meets where nobody says otherwise: by language, for JSON by the stack."""

from __future__ import annotations

from shardlint.syntax.document import Document
from shardlint.syntax.view import Dialect


def dialect_for(document: Document, json_dialect: Dialect) -> Dialect:
    """`json_dialect` for JSON, PyYAML for YAML, tomllib for TOML."""
    if document.language == "yaml":
        from shardlint.syntax.dialects.pyyaml import PYYAML

        return PYYAML
    if document.language == "toml":
        from shardlint.syntax.dialects.toml import TOML

        return TOML
    return json_dialect
