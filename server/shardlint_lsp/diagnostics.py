"""Findings as diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from lsprotocol import types

from shardlint.checks.registry import DEPRECATED, UNNECESSARY, find_rule
from shardlint.report import Finding, Related, Severity
from shardlint.syntax.tree import Span
from shardlint_lsp.documentation import rule_link
from shardlint_lsp.look import Look
from shardlint_lsp.positions import Positions

SOURCE = "shardlint"
SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
TAGS = {DEPRECATED: types.DiagnosticTag.Deprecated, UNNECESSARY: types.DiagnosticTag.Unnecessary}
PLAIN = "SYN001"
"""The rule for what no reader of the language takes."""

UriOf = Callable[[Path], str]
ByPath = Mapping[Path, Sequence[types.Diagnostic]]


def by_path(look: Look, uri_of: UriOf) -> ByPath:
    """What is to be said about each of the files of a look."""
    return {look.path(name): diagnostics(look, name, uri_of) for name in files(look)}


def diagnostics(look: Look, name: str, uri_of: UriOf) -> list[types.Diagnostic]:
    """What is said about one of the files of a look, in the order of its places."""
    return [diagnostic(look, found, uri_of) for found in look.findings(name) if not _left_out(look, found)]


def files(look: Look) -> tuple[str, ...]:
    """The files a look says something about, or would: the one it is of comes first."""
    named = (found.place.path for found in look.analysis.report.findings)
    of_jobs = (name for job in look.jobs for name in job.files)
    known = {look.name: None, **dict.fromkeys(of_jobs), **dict.fromkeys(named)}
    return tuple(known)


def diagnostic(look: Look, found: Finding, uri_of: UriOf) -> types.Diagnostic:
    client = look.client
    link = rule_link(found.code) if client.diagnostic_links else None
    return types.Diagnostic(
        range=range_of(look, found),
        severity=SEVERITIES[found.severity],
        code=found.rule,
        code_description=types.CodeDescription(link) if link else None,
        source=SOURCE,
        message="\n".join(filter(None, (found.message, found.help, assumed(found)))),
        tags=_tags(found) if client.diagnostic_tags else None,
        related_information=list(_related(look, found, uri_of)) or None
        if client.related_information
        else None,
    )


def assumed(found: Finding) -> str:
    """What a finding rests on beside what files and settings say; empty where that is nothing."""
    return f"Assumed: {'; '.join(found.assumes)}." if found.assumes else ""


def range_of(look: Look, found: Finding) -> types.Range:
    """Where a finding stands; one about a file as a whole stands at its first line."""
    document = found.place.document
    if document is None:
        return types.Range(types.Position(0, 0), types.Position(0, 0))
    positions = look.positions_of(document)
    return positions.range(span_of(found, positions))


def span_of(found: Finding, positions: Positions) -> Span:
    """The text a finding is shown at, in its file."""
    span = found.place.span
    return Span(0, positions.line(0)[1]) if span == Span(0, 0) else span


def _related(look: Look, found: Finding, uri_of: UriOf) -> Iterator[types.DiagnosticRelatedInformation]:
    for other in found.related:
        if other.place.document is not None:
            yield types.DiagnosticRelatedInformation(_location(look, other, uri_of), other.message)


def _location(look: Look, other: Related, uri_of: UriOf) -> types.Location:
    document = other.place.document
    assert document is not None
    positions = look.positions_of(document)
    return types.Location(uri_of(look.path(document.name)), positions.range(other.place.span))


def _tags(found: Finding) -> list[types.DiagnosticTag] | None:
    """Text without an effect is shown faded, but never where it stops the run."""
    rule = find_rule(found.code)
    if rule is None or rule.tag not in TAGS or (rule.tag == UNNECESSARY and found.severity is Severity.ERROR):
        return None
    return [TAGS[rule.tag]]


def _left_out(look: Look, found: Finding) -> bool:
    """Whether the editor says this by itself: plain syntax of a language it reads."""
    if found.code != PLAIN or look.preferences.syntax == "always":
        return False
    if look.preferences.syntax == "never":
        return True
    document = found.place.document
    return document is not None and look.client.reads(document)
