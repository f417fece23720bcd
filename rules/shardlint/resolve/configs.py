"""A model's config.json as a plain mapping, wherever it is named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from shardlint.report import Notice, Place
from shardlint.settings import Settings
from shardlint.syntax.document import Document
from shardlint.workspace import Workspace

FILE_NAME = "config.json"

_KEYS = {
    "type": "model_type",
    "hidden_size": "hidden_size",
    "intermediate_size": "intermediate_size",
    "num_hidden_layers": "num_hidden_layers",
    "num_attention_heads": "num_attention_heads",
    "num_key_value_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "vocab_size": "vocab_size",
    "tied": "tie_word_embeddings",
}
_NEEDED = frozenset({"model_type", "hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"})


class Config(NamedTuple):
    """A config and the name its file is shown by."""

    name: str
    config: Mapping[str, object]


def config_of_place(place: Place) -> Mapping[str, object] | None:
    """The config of the document a fact stands in."""
    return _config(place.document) if place.document is not None else None


def config_of_settings(settings: Settings) -> Mapping[str, object] | None:
    """The sizes under `model.` as a config.json names them, where they are enough to count by."""
    config: dict[str, object] = {}
    for name, key in _KEYS.items():
        value = settings.fact(f"model.{name}").value
        if value is not None:
            config[key] = value
    return config if config.keys() >= _NEEDED else None


def read_config(name: str, base: Path, workspace: Workspace) -> Config | None:
    """The config.json a name leads to: itself or in the folder of that name; None where there is none."""
    path = config_path(name, base, workspace)
    document = workspace.read(path) if path is not None else None
    if document is None or isinstance(document, Notice):
        return None
    config = _config(document)
    return Config(document.name, config) if config is not None else None


def config_path(name: str, base: Path, workspace: Workspace) -> Path | None:
    """The file a name leads to; None where there is none."""
    target = name if name.endswith(".json") else f"{name.rstrip('/')}/{FILE_NAME}"
    return workspace.resolve(target, base).path


def _config(document: Document) -> Mapping[str, object] | None:
    from shardlint.syntax.dialects.strict_json import STRICT_JSON
    from shardlint.syntax.view import View

    value = View(document, STRICT_JSON).value()
    return value if isinstance(value, dict) else None
