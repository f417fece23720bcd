"""Code actions on real files: each comes to something, does what its title says, and breaks nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus import corpus_bytes, manifest, requires_corpus
from lsp.looks import look_at
from shardlint.engine.fixing import edited
from shardlint.report import Finding
from shardlint.syntax.tree import Span
from shardlint_lsp.actions.action import Action
from shardlint_lsp.actions.offered import QUICK_FIX, offered

EVERY = 12
"""One file of so many is tried."""
FILES = [row.path for row in manifest() if row.path.endswith((".json", ".yaml"))][::EVERY]


def identity(found: Finding) -> tuple[str, str, str]:
    return found.rule, found.place.key, found.message


def applied(files: dict[str, str], action: Action) -> dict[str, str]:
    outcome = action.make()
    assert outcome is not None, action.title
    changed = dict(files)
    for name, document in outcome.documents.items():
        changed[name] = edited(document.text, [edit for edit in outcome.edits if edit.path == name])
    return changed


@requires_corpus
@pytest.mark.parametrize("path", FILES)
def test_actions_do_what_they_say(path: str, tmp_path: Path) -> None:
    name = Path(path).name
    files = {name: corpus_bytes(path).decode("utf-8-sig", "replace").replace("\r\n", "\n")}
    look = look_at(files, name, folder=tmp_path)
    before = {identity(found) for found in look.findings(name)}
    for number, action in enumerate(offered(look, Span(0, len(look.document.text)))[:12]):
        folder = tmp_path / str(number)
        after = {
            identity(found) for found in look_at(applied(files, action), name, folder=folder).findings(name)
        }
        named = {identity(found) for found in action.findings}
        if action.title.startswith("Ignore "):
            assert named <= before - after, action.title
            assert {rule for rule, _, _ in before - after} == {rule for rule, _, _ in named}, action.title
            assert not action.title.endswith(" here") or not after - before, action.title
        elif action.kind == QUICK_FIX and not action.title.startswith("Set "):
            assert named <= before - after, action.title
