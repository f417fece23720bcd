"""Which actions there are at a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from shardlint.syntax.tree import Span
from shardlint_lsp.actions.action import Action
from shardlint_lsp.actions.fix_all import KIND as FIX_ALL
from shardlint_lsp.actions.fix_all import fix_all
from shardlint_lsp.actions.fixes import fixes
from shardlint_lsp.actions.ignoring import ignoring
from shardlint_lsp.actions.settings_file import settings_file
from shardlint_lsp.actions.telling import places, telling
from shardlint_lsp.diagnostics import span_of
from shardlint_lsp.look import Look

QUICK_FIX = types.CodeActionKind.QuickFix.value


def offered(look: Look, span: Span, only: Sequence[str] | None = None) -> list[Action]:
    """The actions for a stretch of the open file, of the kinds asked for: fixes, facts to tell, rules to
    ignore, then the safe fixes of the whole file."""
    found = [*_quick_fixes(look, span)] if _asked(QUICK_FIX, only) else []
    whole = fix_all(look) if _asked(FIX_ALL, only) else None
    return [*found, whole] if whole is not None else found


def _asked(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a kind, or one it is a kind of, is asked for."""
    return not only or any(not asked or f"{kind}.".startswith(f"{asked}.") for asked in only)


def _quick_fixes(look: Look, span: Span) -> Iterator[Action]:
    near = [f for f in look.findings(look.name) if _touch(span_of(f, look.positions), span)]
    stated = [place for place in places(look) if _touch(place.span, span)]
    if not near and not stated:
        return
    for found in near:
        yield from fixes(look, found)
    settings = settings_file(look)
    if settings is not None:
        for place in stated:
            yield from telling(look, place, settings)
    for rule in dict.fromkeys(found.rule for found in near):
        yield from ignoring(look, tuple(found for found in near if found.rule == rule), settings)


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end
