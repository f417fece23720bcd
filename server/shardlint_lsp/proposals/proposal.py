"""A proposal, and the text that explains it."""

from __future__ import annotations

import json
from typing import NamedTuple

from lsprotocol.types import CompletionItemKind as Kind

from shardlint.checks.registry import find_rule
from shardlint.explain.sections import section_text
from shardlint.schema.describe import describe
from shardlint.schema.releases import Releases
from shardlint.schema.snippets import escaped
from shardlint_lsp.documentation import rule_summary
from shardlint_lsp.setting_texts import gpu_text, model_text, setting_text


class Topic(NamedTuple):
    """What a proposal is about: `kind` is setting, section, rule, gpu, model, or the stack of a key."""

    kind: str
    name: str


class Proposal(NamedTuple):
    """One text to write. `insert` is a snippet; it is a whole key with its value where `is_key`. `filter` is
    what the word typed is compared with, where that is not the label."""

    label: str
    kind: Kind
    insert: str
    detail: str = ""
    topic: Topic | None = None
    deprecated: bool = False
    is_key: bool = False
    filter: str = ""


def explained(topic: Topic, versions: Releases | None) -> str:
    """The Markdown about a topic; empty where nothing is known of it. `versions` matter to a key."""
    kind, name = topic
    if kind == "setting":
        return setting_text(name)
    if kind == "section":
        return section_text(name)
    if kind == "rule":
        rule = find_rule(name)
        return rule_summary(rule) if rule is not None else ""
    if kind == "gpu":
        return gpu_text(name)
    if kind == "model":
        return model_text(name)
    return describe(kind, name, versions)


def quoted(text: str) -> str:
    """Text in double quotes, as JSON, TOML and YAML all read it."""
    return escaped(json.dumps(text, ensure_ascii=False))
