"""All safe fixes of a file at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from shardlint.engine.fixing import fixpoint
from shardlint.report import Edit, Finding, Report
from shardlint.syntax.tree import Span
from shardlint_lsp.actions.action import Action, Outcome
from shardlint_lsp.look import Look

KIND = "source.fixAll.shardlint"
TITLE = "Apply all safe fixes"


def fix_all(look: Look) -> Action | None:
    """The safe fixes of the open file; None where it has none."""
    found = _of(look, look.analysis.report).findings
    return Action(TITLE, partial(_outcome, look), KIND, found, slow=True) if found else None


def _outcome(look: Look) -> Outcome | None:
    """What fixing and linting again comes to, as one edit of what differs."""
    workspace = look.root.workspace
    laid = dict(workspace.overlay)

    def relint(texts: Mapping[str, str]) -> Report:
        changed = {look.path(name): text for name, text in texts.items()}
        return _of(look, look.root.analyse(look.text.path, {**laid, **changed}, look.preferences).report)

    try:
        changes = fixpoint(_of(look, look.analysis.report), relint, unsafe=False)
    finally:
        workspace.lay(laid)
    edits = tuple(_edit(look.name, change.before, change.after) for change in changes)
    return Outcome(edits, {look.name: look.document}) if edits else None


def _of(look: Look, report: Report) -> Report:
    """What is to be fixed: findings with a safe fix, in the open file and of it alone."""
    kept = (_safe(found, look.name) for found in report.findings if found.place.path == look.name)
    return report._replace(findings=tuple(found for found in kept if found.fixes))


def _safe(found: Finding, name: str) -> Finding:
    fixes = (fix for fix in found.fixes if fix.safe and fix.edits)
    return found._replace(fixes=tuple(fix for fix in fixes if {edit.path for edit in fix.edits} == {name}))


def _edit(name: str, before: str, after: str) -> Edit:
    """One edit between the first and the last character that differ."""
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    rest = shorter - start
    same = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    return Edit(name, Span(start, len(before) - same), after[start : len(after) - same])
