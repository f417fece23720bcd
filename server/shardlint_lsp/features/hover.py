"""Hover: what a key means, what is wrong there, and what each rank holds where that is decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types

from shardlint.checks.registry import find_rule
from shardlint.plan import TrainingPlan
from shardlint.report import WARNING, Finding, Place
from shardlint.schema.describe import describe
from shardlint.syntax.tree import Span
from shardlint.syntax.view import Entry
from shardlint_lsp.caret.pragma_word import pragma_word
from shardlint_lsp.caret.spot import Touched, touched
from shardlint_lsp.diagnostics import assumed
from shardlint_lsp.documentation import rule_summary
from shardlint_lsp.hints.sharing import parts
from shardlint_lsp.ledgers.accounts import account_of
from shardlint_lsp.ledgers.table import ledger_table
from shardlint_lsp.look import Look
from shardlint_lsp.markdown import literal
from shardlint_lsp.markup_content import markup
from shardlint_lsp.recognised import settings_table
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.setting_texts import setting_at, setting_text
from shardlint_lsp.tree import holds
from shardlint_lsp.vocabulary import reader_view, vocabulary

DECIDING = ("stage", "strategy", "reshard", "framework", "precision", "load_dtype", "accum_dtype")
OFFLOAD = ("offload_optimizer", "offload_param")
"""Facts of a plan whose places show its ledger."""

MOST_FINDINGS = 3
BREAK = "\n\n---\n\n"


class Hovered(NamedTuple):
    """Markdown about a span of the open text."""

    span: Span
    text: str


def hover(look: Look, offset: int) -> Hovered | None:
    """All there is to say about the key, the value or the pragma at an offset; None where that is nothing."""
    pragma = pragma_word(look.document, offset)
    if pragma is not None:
        text = setting_text(pragma.name, pragma.value if pragma.on_value else None)
        return Hovered(pragma.span, text) if text else None
    at = touched(reader_view(look), offset)
    found = [finding for finding in look.findings(look.name) if _stands_at(finding, offset)]
    said = BREAK.join(filter(None, _texts(look, at, found[:MOST_FINDINGS])))
    span = at.span if at is not None else found[0].place.span if found else None
    return Hovered(span, said) if said and span is not None else None


def _texts(look: Look, at: Touched | None, found: Sequence[Finding]) -> Iterator[str]:
    """What the key means, what is wrong, what each rank holds, and what else there is to know."""
    if at is not None:
        yield _meaning(look, at)
    yield from (_finding(look, finding) for finding in found if finding.severity >= WARNING)
    if at is not None:
        yield from dict.fromkeys(_ledgers(look, at.entry))
    yield from (_finding(look, finding) for finding in found if finding.severity < WARNING)


def _meaning(look: Look, at: Touched) -> str:
    """The text of a key, of a setting, or of what a setting names."""
    table = settings_table(look.document)
    if table is not None:
        return setting_at(look.document, table, at)
    known = vocabulary(look)
    if known is None:
        return ""
    there = known.locate(at.entry.path)
    return describe(there.stack, there.path, known.versions(there.stack))


def _stands_at(finding: Finding, offset: int) -> bool:
    return finding.place.document is not None and holds(finding.place.span, offset)


def _finding(look: Look, finding: Finding) -> str:
    """What is said, where the editor does not show it anyway, what it rests on, and the documentation of the
    rule that says it."""
    return "\n\n".join(_words(look, finding))


def _words(look: Look, finding: Finding) -> Iterator[str]:
    if not look.client.hovers_findings:
        said = f"{finding.message}{'. ' + finding.help if finding.help else ''}"
        yield f"**{finding.severity.word}**: {literal(said)}"
        if finding.assumes:
            yield literal(assumed(finding))
    rule = find_rule(finding.code)
    if rule is not None:
        yield rule_summary(rule)


def _ledgers(look: Look, entry: Entry) -> Iterator[str]:
    """The ledger of each plan that an entry, or the section it opens, decides."""
    alone = sum(len(job.plans) for job in look.jobs) == 1
    for part in parts(look):
        if any(_decides(place, look.name, entry) for place in _places(part.plan)):
            account = account_of(look, part.job, part.plan)
            yield ledger_table(account._replace(title="") if alone else account)


def _places(plan: TrainingPlan) -> Iterator[Place]:
    for name in (*DECIDING, *OFFLOAD):
        place: Place | None = getattr(plan, name).place
        if place is not None:
            yield place


def _decides(place: Place, name: str, entry: Entry) -> bool:
    """Whether a place is that of an entry, or of a key right below it."""
    if place.path != name or not entry.path:
        return False
    section = place.key.rpartition(".")[0]
    return entry.key == place.key or (entry.key == section and entry.pair is not None)


def register(server: ShardlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:  # pyright: ignore[reportUnusedFunction]
        def answer(look: Look) -> types.Hover | None:
            found = hover(look, look.positions.offset(params.position))
            if found is None:
                return None
            shown = types.MarkupKind.Markdown if look.client.hover_markdown else types.MarkupKind.PlainText
            return types.Hover(markup(found.text, shown), look.positions.range(found.span))

        return await server.ask(params.text_document.uri, answer)
